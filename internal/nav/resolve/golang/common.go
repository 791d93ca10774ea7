package golang

import "github.com/ragnav/ragnav/internal/nav/resolve"

// goCommon are methods and fields of the standard library that values of all
// sorts have. That a repository has one of that name says nothing about a value
// whose type is not known.
var goCommon = resolve.Set(`
Add After Append Args As Base Before Body Buffer Bytes Cancel Cap Clone Close Code Commit Config Contains
Context Copy Count Cookies Create Data Date Day Deadline Decode Delete Dir Do Done Dump Elem Encode End Equal
Err Error Errorf Exec Execute Exit Exists Fatal Fatalf Field File Files Find First Flag Flush Format Func
Function Get Handle Handler Has Header Host Hour ID Index Info Init Insert Int Interface Is IsDir IsNil IsValid
IsZero Key Keys Kind Last Left Len Length Less Line List Load Lock Log Logf Logger Lookup Map Match Max Method
Min Mode Month Name Names New Next Node Now NumField Object Offset Open Options Parse Path Peek Ping Pop Pos
Position Prefix Prepare Print Printf Println Process Pop Push Put Query Range RLock RUnlock Read ReadAll ReadAt
ReadByte ReadFile ReadFrom ReadRune ReadString Reader Remove Request Reset Response Result Results Right
Rollback Run Scan Search Seek Send Serve ServeHTTP Set SetDeadline Shutdown Sign Signal Size Skip Sort Source
Split Start State Stat Stats Status StatusCode Stderr Stdin Stdout Stop Store Stream String Sub Sum Swap Sync
Sys Tag Text Time Title Token Type Unix Unlock Unmarshal Unwrap Update URL User Value Values Verify Version Wait
Warn Weekday Write WriteAt WriteByte WriteFile WriteHeader WriteRune WriteString WriteTo Year Zero`)
