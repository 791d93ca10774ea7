package objc

import (
	"strings"

	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// above are the classes that those of Foundation, UIKit and AppKit are made from.
var above = func() map[string]string {
	out := map[string]string{}
	for line := range strings.Lines(hierarchy) {
		super, subs, _ := strings.Cut(strings.TrimSpace(line), " ")
		for sub := range strings.FieldsSeq(subs) {
			out[sub] = super
		}
	}
	return out
}()

const hierarchy = `NSObject NSString NSArray NSDictionary NSSet NSOrderedSet NSData NSDate NSURL NSValue NSError NSException NSBundle
NSObject NSURLRequest NSURLResponse NSURLSession NSURLSessionTask NSURLSessionConfiguration NSURLProtocol NSURLConnection
NSObject NSURLCredential NSURLCache NSCachedURLResponse NSHTTPCookie NSURLComponents NSURLQueryItem
NSObject NSURLAuthenticationChallenge
NSObject NSNotification NSNotificationCenter NSOperation NSOperationQueue NSThread NSLock NSRecursiveLock NSCondition NSTimer
NSObject NSRunLoop NSPort NSStream NSFileManager NSFileHandle NSProcessInfo NSUserDefaults NSScanner NSCharacterSet NSLocale
NSObject NSFormatter NSCalendar NSDateComponents NSTimeZone NSIndexPath NSIndexSet NSPredicate NSExpression NSSortDescriptor
NSObject NSCoder NSMethodSignature NSInvocation NSUUID NSProgress NSCache NSMapTable NSHashTable NSPointerArray NSEnumerator
NSObject NSAttributedString NSRegularExpression NSUndoManager NSXMLParser NSJSONSerialization NSPropertyListSerialization NSNull
NSObject NSManagedObject NSManagedObjectContext NSManagedObjectModel NSEntityDescription NSFetchRequest NSUserActivity NSBlock
NSObject NSPersistentStoreCoordinator NSTask NSPipe NSAppleScript NSHost NSNetService NSOrthography NSAssertionHandler
NSObject UIResponder UIImage UIColor UIFont UIScreen UIDevice UIEvent UITouch UIGestureRecognizer UIBezierPath UIBarItem
NSObject UICollectionViewLayout UINavigationItem UIStoryboard UINib UITraitCollection NSLayoutConstraint UIAlertAction
NSObject NSResponder NSImage NSColor NSFont NSScreen NSCell NSEvent NSMenu NSMenuItem NSBezierPath NSLayoutManager NSTextContainer
NSObject CALayer CAAnimation CADisplayLink CIImage CIContext CIFilter NSImageRep NSToolbar NSToolbarItem NSPasteboard
NSString NSMutableString
NSArray NSMutableArray
NSDictionary NSMutableDictionary
NSSet NSMutableSet NSCountedSet
NSOrderedSet NSMutableOrderedSet
NSData NSMutableData
NSAttributedString NSMutableAttributedString NSTextStorage
NSIndexSet NSMutableIndexSet
NSCharacterSet NSMutableCharacterSet
NSURLRequest NSMutableURLRequest
NSURLResponse NSHTTPURLResponse
NSURLSessionTask NSURLSessionDataTask NSURLSessionDownloadTask NSURLSessionStreamTask
NSURLSessionDataTask NSURLSessionUploadTask
NSValue NSNumber
NSNumber NSDecimalNumber
NSFormatter NSDateFormatter NSNumberFormatter
NSCoder NSKeyedArchiver NSKeyedUnarchiver
NSOperation NSBlockOperation NSInvocationOperation
NSStream NSInputStream NSOutputStream
UIResponder UIView UIViewController UIApplication
UIView UIImageView UILabel UIControl UIScrollView UIWindow UIActivityIndicatorView UIProgressView UINavigationBar UIToolbar
UIView UITableViewCell UICollectionReusableView UIStackView UIPickerView UIVisualEffectView UISearchBar UITabBar UIWebView
UIView WKWebView MKMapView MKAnnotationView MTKView UITableViewHeaderFooterView
UIControl UIButton UITextField UISwitch UISlider UISegmentedControl UIDatePicker UIPageControl UIRefreshControl UIStepper
UIScrollView UITableView UICollectionView UITextView
UICollectionReusableView UICollectionViewCell
UICollectionViewLayout UICollectionViewFlowLayout
UIViewController UITableViewController UICollectionViewController UINavigationController UITabBarController
UIViewController UIPageViewController UISplitViewController UIAlertController UIActivityViewController UISearchController
UINavigationController UIImagePickerController
UIBarItem UIBarButtonItem UITabBarItem
UIGestureRecognizer UITapGestureRecognizer UIPanGestureRecognizer UIPinchGestureRecognizer UISwipeGestureRecognizer
UIGestureRecognizer UILongPressGestureRecognizer UIRotationGestureRecognizer
NSResponder NSView NSViewController NSWindow NSApplication NSWindowController
NSView NSControl NSText NSScrollView NSClipView NSStackView NSProgressIndicator NSBox NSSplitView NSTableCellView NSOpenGLView
NSControl NSButton NSTextField NSImageView NSTableView NSSlider NSSegmentedControl NSColorWell
NSText NSTextView
NSTableView NSOutlineView
NSWindow NSPanel
CALayer CAShapeLayer CAGradientLayer CATextLayer CAEAGLLayer CAMetalLayer
CAAnimation CAPropertyAnimation CAAnimationGroup CATransition
CAPropertyAnimation CABasicAnimation CAKeyframeAnimation
`

// commonSelectors are selectors of Foundation, UIKit and AppKit, and others that many have: the only declaration
// of one in a repository is mostly another one than what an unknown receiver has.
var commonSelectors = resolve.Set(`
init initWithFrame: initWithCoder: initWithNibName:bundle: initWithString: initWithData: initWithArray: initWithName:
description debugDescription hash isEqual: isEqualToString: isEqualToArray: isEqualToDictionary: count length
objectAtIndex: objectForKey: setObject:forKey: removeObjectForKey: addObject: removeObject: insertObject:atIndex:
removeObjectAtIndex: removeAllObjects replaceObjectAtIndex:withObject: containsObject: indexOfObject: firstObject
lastObject anyObject allObjects allKeys allValues objectEnumerator keyEnumerator nextObject addObjectsFromArray:
enumerateObjectsUsingBlock: enumerateKeysAndObjectsUsingBlock: objectForKeyedSubscript: setObject:forKeyedSubscript:
objectAtIndexedSubscript: setObject:atIndexedSubscript: valueForKey: setValue:forKey: valueForKeyPath:
setValue:forKeyPath: setValue:forUndefinedKey: valueForUndefinedKey: setNilValueForKey:
addObserver:forKeyPath:options:context: removeObserver:forKeyPath: removeObserver:forKeyPath:context:
observeValueForKeyPath:ofObject:change:context: addObserver:selector:name:object: removeObserver:
removeObserver:name:object: postNotificationName:object: postNotificationName:object:userInfo: postNotification:
performSelector: performSelector:withObject: performSelector:withObject:withObject:
performSelector:withObject:afterDelay: performSelectorOnMainThread:withObject:waitUntilDone: respondsToSelector:
conformsToProtocol: isKindOfClass: isMemberOfClass: isSubclassOfClass: methodForSelector: methodSignatureForSelector:
forwardInvocation: forwardingTargetForSelector: doesNotRecognizeSelector: instancesRespondToSelector: copyWithZone:
mutableCopyWithZone: encodeWithCoder: encodeObject:forKey: decodeObjectForKey: encodeInteger:forKey:
decodeIntegerForKey: encodeBool:forKey: decodeBoolForKey: supportsSecureCoding dealloc finalize load initialize start
stop cancel resume suspend pause finish run main close open reset invalidate lock unlock tryLock wait signal signalAll
isExecuting isFinished isCancelled isReady isAsynchronous isConcurrent isRunning setCompletionBlock: addOperation:
addDependency: stringValue intValue integerValue floatValue doubleValue boolValue longLongValue unsignedIntegerValue
charValue UTF8String stringByAppendingString: stringByAppendingPathComponent: stringByAppendingFormat:
substringFromIndex: substringToIndex: substringWithRange: componentsSeparatedByString: componentsJoinedByString:
rangeOfString: rangeOfString:options: hasPrefix: hasSuffix: lowercaseString uppercaseString capitalizedString
stringByReplacingOccurrencesOfString:withString: dataUsingEncoding: appendString: appendFormat: appendData:
appendBytes:length: bytes mutableBytes getBytes:length: compare: caseInsensitiveCompare: sortUsingSelector:
sortedArrayUsingSelector: filteredArrayUsingPredicate: evaluateWithObject: writeToFile:atomically:
writeToURL:atomically: absoluteString absoluteURL pathExtension lastPathComponent relativePath baseURL fileURL
isFileURL path URL request response error localizedDescription userInfo domain code delegate setDelegate: dataSource
setDataSource: tag setTag: title setTitle: setTitle:forState: text setText: image setImage: setImage:forState: frame
setFrame: bounds setBounds: center alpha setAlpha: hidden setHidden: isHidden view setView: addSubview:
removeFromSuperview insertSubview:atIndex: subviews superview window layoutSubviews setNeedsLayout layoutIfNeeded
setNeedsDisplay drawRect: sizeThatFits: sizeToFit intrinsicContentSize didMoveToSuperview didMoveToWindow
willMoveToSuperview: viewDidLoad viewWillAppear: viewDidAppear: viewWillDisappear: viewDidDisappear: loadView
viewDidLayoutSubviews didReceiveMemoryWarning presentViewController:animated:completion:
dismissViewControllerAnimated:completion: pushViewController:animated: popViewControllerAnimated:
prepareForSegue:sender: awakeFromNib prepareForReuse reloadData numberOfSectionsInTableView:
tableView:numberOfRowsInSection: tableView:cellForRowAtIndexPath: tableView:didSelectRowAtIndexPath:
setNeedsUpdateConstraints updateConstraints addConstraint: addConstraints: addGestureRecognizer:
addTarget:action:forControlEvents: setBackgroundColor: setTextColor: setFont: isEnabled setEnabled: isSelected
setSelected: selectedIndex state setState: value setValue: minimumValue maximumValue animated setAnimated:
startAnimating stopAnimating isAnimating name setName: identifier type setType: key object setObject: contents data
setData: timeIntervalSinceNow timeIntervalSinceDate: timeIntervalSince1970 date setDate:
application:didFinishLaunchingWithOptions: applicationDidEnterBackground: applicationWillTerminate:
userNotificationCenter dataTaskWithRequest: dataTaskWithURL: dataTaskWithRequest:completionHandler:
URLSession:task:didCompleteWithError: URLSession:dataTask:didReceiveData:
URLSession:dataTask:didReceiveResponse:completionHandler: statusCode allHeaderFields valueForHTTPHeaderField:
setValue:forHTTPHeaderField: HTTPBody setHTTPBody: HTTPMethod setHTTPMethod: save: save executeFetchRequest:error:
setUp tearDown invoke testExample waitForExpectationsWithTimeout:handler: expectationWithDescription: fulfill
sharedInstance sharedManager defaultManager standardManager defaultCenter mainBundle currentDevice mainScreen
fileExistsAtPath: removeItemAtPath:error: createDirectoryAtPath:withIntermediateDirectories:attributes:error:
contentsOfDirectoryAtPath:error: attributesOfItemAtPath:error: itemAtPath: fire perform execute execute: next first
last index isEmpty empty toString toDictionary parent children child node nodes content update update: load: add:
remove: insert: delete delete: clear flush read write write: print send: receive: connect disconnect begin end commit
rollback setup cleanup process: handle: log: setKey: size setSize: width height`)

// isSystem reports whether a name is that of a class of Apple's frameworks.
func isSystem(name string) bool {
	if above[name] != "" {
		return true
	}
	for _, prefix := range []string{"NS", "UI", "CG", "CF", "CA", "CI", "WK"} {
		if rest, ok := strings.CutPrefix(name, prefix); ok && len(rest) > 1 && rest[0] >= 'A' && rest[0] <= 'Z' &&
			rest[1] >= 'a' && rest[1] <= 'z' {
			return true
		}
	}
	return false
}
