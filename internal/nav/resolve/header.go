package resolve

import (
	"path"
	"strings"
)

// MountMark begins the names of folders in which a World has the files of other
// repositories: no path of a repository does, and it comes behind all of them.
const MountMark = "\U0010fffd"

// Part is the folder of the repository that a path is in, "" for that of the
// World itself.
func Part(p string) string {
	if !strings.HasPrefix(p, MountMark) {
		return ""
	}
	part, _, _ := strings.Cut(p, "/")
	return part
}

var includeRoots = Set("include includes inc headers public src source lib")

// IsIncludeRoot reports whether compilers are usually told to look for headers in
// a folder: the root of a repository, or one that is called so.
func IsIncludeRoot(dir string) bool {
	return dir == Part(dir) || includeRoots[path.Base(dir)]
}

// IsStandardHeader reports whether an include means what comes with compilers and
// systems, whatever repositories have: all of C++ have no extension.
func IsStandardHeader(p string) bool {
	name, ok := strings.CutSuffix(p, ".h")
	return !ok && !strings.Contains(p, ".") || ok && standardHeaders[name]
}

var standardHeaders = Set(`
assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal stdalign stdarg stdatomic
stdbit stdbool stdckdint stddef stdint stdio stdlib stdnoreturn string tgmath threads time uchar wchar wctype
aio alloca byteswap cpio dirent dlfcn elf endian err execinfo fcntl features fmtmsg fnmatch fts ftw getopt glob grp
iconv ifaddrs langinfo libgen link malloc memory mntent monetary mqueue ndbm netdb nl_types poll pthread pty pwd regex
resolv sched search semaphore shadow spawn strings stropts syslog sysexits tar termio termios trace ucontext ulimit
unistd utime utmp utmpx wait wordexp config conio direct io process tchar windows winsock winsock2`)

// IsObjC reports whether a language is Objective-C, or that with C++ in it.
func IsObjC(language string) bool { return language == "Objective-C" || language == "Objective-C++" }
