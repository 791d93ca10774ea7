//go:build cgo

package nav_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/nav"
	"github.com/ragnav/ragnav/internal/nav/gateway"
)

// The members of stores: an interface, one that extends it, a class, and objects that stand
// where a store is wanted.
const (
	stores = `export interface Store { name: string; get(key: string): string }
export interface Big extends Store { size: number }
export class Memory implements Store {
  static size = 1
  name = 'memory'
  constructor(readonly size: number) {}
  get(key: string) { return key }
}
export class Counted extends Memory { name = 'counted' }
export function use(store: Store) { return store.get('a') }
`
	objects = `import { use, type Big, type Memory, type Store } from './stores'
export const empty: Store = { name: 'empty', get: () => '' }
export function big(): Big {
  return { name: 'big', size: 3, get(key) { return key } }
}
use({ name: 'given', get: k => k })
export const named = (): Partial<Big> => ({ name: 'named' })
export const said = { name: 'said', get: () => '' } satisfies Store
export const where: Where<Memory> = { name: 'no memory' }
export const memory: Memory = { name: 'none', size: 0, get: () => '' }
export type Where<T> = { [K in keyof T]?: T[K] | (() => T[K]) }
export function rename(store: Store) { store.name = 'other' }
`
)

// Classes without a name implement a runner: what a function returns, makes, or keeps by a key.
const namelessClasses = `export interface Runner { run(): void }
export function made(): Runner { return new (class implements Runner { run() {} })() }
export const kinds = {
  slow: class implements Runner { run() {} },
}
export default () => class extends kinds.slow { run() {} }
`

func TestImplementationsOfObjects(t *testing.T) {
	root := t.TempDir()
	put(t, root, "stores.ts", stores)
	put(t, root, "objects.ts", objects)
	put(t, root, "nameless.ts", namelessClasses)
	svc := nav.New(gateway.Config{Repos: folder(root), Extract: grammars{}})
	for _, tc := range []struct {
		name           string
		file           string // where the name is first
		line           int
		direction, all string
	}{
		{"of a type", "stores.ts", 1, "Store down", `1 interface Big stores.ts:2:18
1 class Memory stores.ts:3:14
2 class Counted stores.ts:9:14
1 object empty objects.ts:2:29
1 object big objects.ts:4:10
1 object  objects.ts:6:5
1 object named objects.ts:7:43
1 object said objects.ts:8:21
2 object memory objects.ts:10:31`},
		{"of a class", "stores.ts", 3, "Memory down", `1 class Counted stores.ts:9:14
1 object memory objects.ts:10:31`},
		{"of a property", "stores.ts", 1, "name down", `1 field Memory.name stores.ts:5:3
2 field Counted.name stores.ts:9:39
1 property empty.name objects.ts:2:31
1 property big.name objects.ts:4:12
1 property name objects.ts:6:7
1 property named.name objects.ts:7:45
1 field said.name objects.ts:8:23
2 property where.name objects.ts:9:39
2 property memory.name objects.ts:10:33`},
		{"of a method", "stores.ts", 1, "get down", `1 method Memory.get stores.ts:7:3
1 method empty.get objects.ts:2:46
1 method big.get objects.ts:4:34
1 property get objects.ts:6:22
1 method said.get objects.ts:8:37
2 method memory.get objects.ts:10:56`},
		{"of what no class implements", "stores.ts", 2, "size down", `1 property big.size objects.ts:4:25`},
		{"of a type whose keys are inherited", "stores.ts", 2, "Big down", `1 object big objects.ts:4:10
1 object named objects.ts:7:43`},
		{"a property implements", "stores.ts", 9, "name up", `1 field Memory.name stores.ts:5:3
2 field Store.name stores.ts:1:26`},
		{"a key implements", "objects.ts", 2, "name up", `1 field Store.name stores.ts:1:26`},
		{"a key that declares", "objects.ts", 8, "name up", `1 field Store.name stores.ts:1:26`},
		{"static", "stores.ts", 4, "size up", ""},
		{"classes without a name", "nameless.ts", 1, "Runner down", `1 class made.class nameless.ts:2:46
1 class class nameless.ts:4:9`},
		{"members of such", "nameless.ts", 1, "run down", `1 method made.run nameless.ts:2:72
1 method kinds.run nameless.ts:4:35
2 method default.run nameless.ts:6:49`},
	} {
		name, direction, _ := strings.Cut(tc.direction, " ")
		text := strings.Split(map[string]string{
			"stores.ts": stores, "objects.ts": objects, "nameless.ts": namelessClasses,
		}[tc.file], "\n")[tc.line-1]
		column := strings.Index(text, name) + 1
		res, err := svc.Implementations(t.Context(), nav.ImplementationsRequest{
			RepoID: "o/a", File: tc.file, Line: &tc.line, Column: &column, Direction: direction,
		})
		if err != nil {
			t.Errorf("%s: %v", tc.name, err)
			continue
		}
		var got []string
		for _, i := range res.Items {
			got = append(got, fmt.Sprintf("%d %s %s %s:%d:%d", i.Depth, i.Kind, i.Symbol, i.FilePath, i.Line, i.Column))
		}
		if diff := cmp.Diff(tc.all, strings.Join(got, "\n")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.name, diff)
		}
	}
}
