package python

import "github.com/ragnav/ragnav/internal/nav/resolve"

// pythonBuiltins are the names that every module knows.
var pythonBuiltins = resolve.Set(`
ArithmeticError AssertionError AttributeError BaseException BaseExceptionGroup BlockingIOError BrokenPipeError
BufferError BytesWarning ChildProcessError ConnectionAbortedError ConnectionError ConnectionRefusedError
ConnectionResetError DeprecationWarning EOFError Ellipsis EncodingWarning EnvironmentError Exception
ExceptionGroup False FileExistsError FileNotFoundError FloatingPointError FutureWarning GeneratorExit IOError
ImportError ImportWarning IndentationError IndexError InterruptedError IsADirectoryError KeyError
KeyboardInterrupt LookupError MemoryError ModuleNotFoundError NameError None NotADirectoryError NotImplemented
NotImplementedError OSError OverflowError PendingDeprecationWarning PermissionError ProcessLookupError
RecursionError ReferenceError ResourceWarning RuntimeError RuntimeWarning StopAsyncIteration StopIteration
SyntaxError SyntaxWarning SystemError SystemExit TabError TimeoutError True TypeError UnboundLocalError
UnicodeDecodeError UnicodeEncodeError UnicodeError UnicodeTranslateError UnicodeWarning UserWarning ValueError
Warning ZeroDivisionError abs aiter all anext any ascii bin bool breakpoint bytearray bytes callable chr
classmethod compile complex copyright credits delattr dict dir divmod enumerate eval exec exit filter float
format frozenset getattr globals hasattr hash help hex id input int isinstance issubclass iter len license list
locals map max memoryview min next object oct open ord pow print property quit range repr reversed round set
setattr slice sorted staticmethod str sum super tuple type vars zip __name__ __file__ __doc__ __import__
__spec__ __path__ __all__ __builtins__ reveal_type unicode basestring xrange long unichr raw_input WindowsError`)

// standardModules are the modules that come with Python: a folder of that name
// is only meant from inside of it.
var standardModules = resolve.Set(`
abc aifc antigravity argparse array ast asynchat asyncio asyncore atexit audioop base64 bdb binascii bisect
builtins bz2 cProfile calendar cgi cgitb chunk cmath cmd code codecs codeop collections colorsys compileall
concurrent configparser contextlib contextvars copy copyreg crypt csv ctypes curses dataclasses datetime dbm
decimal difflib dis distutils doctest email encodings ensurepip enum errno faulthandler fcntl filecmp fileinput
fnmatch fractions ftplib functools gc genericpath getopt getpass gettext glob graphlib grp gzip hashlib heapq
hmac html http idlelib imaplib imghdr imp importlib inspect io ipaddress itertools json keyword lib2to3
linecache locale logging lzma mailbox mailcap marshal math mimetypes mmap modulefinder msilib msvcrt
multiprocessing netrc nis nntplib nt ntpath nturl2path numbers opcode operator optparse os ossaudiodev pathlib
pdb pickle pickletools pipes pkgutil platform plistlib poplib posix posixpath pprint profile pstats pty pwd
py_compile pyclbr pydoc pydoc_data pyexpat queue quopri random re readline reprlib resource rlcompleter runpy
sched secrets select selectors shelve shlex shutil signal site smtpd smtplib sndhdr socket socketserver spwd
sqlite3 sre_compile sre_constants sre_parse ssl stat statistics string stringprep struct subprocess sunau
symtable sys sysconfig syslog tabnanny tarfile telnetlib tempfile termios textwrap this threading time timeit
tkinter token tokenize tomllib trace traceback tracemalloc tty turtle turtledemo types typing unicodedata
unittest urllib uu uuid venv warnings wave weakref webbrowser winreg winsound wsgiref xdrlib xml xmlrpc zipapp
zipfile zipimport zlib zoneinfo`)

// pythonCommon are members of builtin types, which mean nothing by their name.
var pythonCommon = resolve.Set(`
_CHUNK_SIZE __abstractmethods__ __add__ __annotations__ __base__ __bases__ __basicsize__ __call__ __cause__
__class__ __class_getitem__ __contains__ __context__ __del__ __delattr__ __delitem__ __dict__ __dictoffset__
__dir__ __doc__ __enter__ __eq__ __exit__ __flags__ __format__ __ge__ __getattribute__ __getitem__
__getnewargs__ __getstate__ __gt__ __hash__ __iadd__ __imul__ __init__ __init_subclass__ __instancecheck__
__ior__ __itemsize__ __iter__ __le__ __len__ __lt__ __mod__ __module__ __mro__ __mul__ __name__ __ne__ __new__
__next__ __or__ __prepare__ __qualname__ __reduce__ __reduce_ex__ __repr__ __reversed__ __rmod__ __rmul__
__ror__ __setattr__ __setitem__ __setstate__ __sizeof__ __str__ __subclasscheck__ __subclasses__
__subclasshook__ __suppress_context__ __text_signature__ __traceback__ __weakrefoffset__ _checkClosed
_checkReadable _checkSeekable _checkWritable _finalizing add add_note append args as_integer_ratio bit_count
bit_length buffer capitalize casefold center clear close closed conjugate copy count decode denominator detach
difference difference_update discard encode encoding endswith errors expandtabs extend fileno find flush format
format_map from_bytes fromhex fromkeys get gi_code gi_frame gi_running gi_suspended gi_yieldfrom hex imag index
insert intersection intersection_update is_integer isalnum isalpha isascii isatty isdecimal isdigit isdisjoint
isidentifier islower isnumeric isprintable isspace issubset issuperset istitle isupper items join keys
line_buffering ljust lower lstrip maketrans name newlines numerator partition pop popitem read readable readline
readlines real reconfigure remove removeprefix removesuffix replace reverse rfind rindex rjust rpartition rsplit
rstrip seek seekable send setdefault sort split splitlines startswith strip swapcase symmetric_difference
symmetric_difference_update tell throw title to_bytes translate truncate union update upper values
with_traceback writable write write_through writelines zfill logger close read write run start stop wait result
info debug warning error exception json args kwargs name value path open parse group load dump loads dumps match
search sub send recv put acquire release exit shape dtype size mean sum`)
