package plain

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestComponents: what is code in components keeps its place, and parses.
func TestComponents(t *testing.T) {
	for name, tc := range map[string]struct {
		plain      func(string) string
		text, want string
	}{
		"script":       {Vue, "<p>a b</p><script setup lang=\"ts\">let a = 1</script>", "let a = 1"},
		"comment":      {Vue, "<!-- {{ a }} <script>b</script> -->{{ c }}", ";( c );"},
		"style":        {Vue, "<style scoped>.a { b: c }</style>", ""},
		"coffee":       {Vue, "<script lang=\"coffee\">a = -> b</script>", ""},
		"pug":          {Vue, "<template lang=\"pug\">p {{ a }}</template>", ""},
		"handler":      {Vue, `<a @click="b = 1; c()" v-on:x='d'>`, ";{b = 1; c()} ;{d}"},
		"binding":      {Vue, `<a :href="{b: c}" v-if="d" e="f">`, ";({b: c}) ;(d)"},
		"mustache":     {Vue, "<p>{{ a }}{{ b | c }}</p>", ";( a );;( b | c );"},
		"loop":         {Vue, `<li v-for="(a, i) in b.a" :key="a.id">{{ a.c(d) }}`, ";b.a; ;(_.id) ;( _.c(d) );"},
		"slot":         {Vue, `<X #row="{ item }">{{ item }}{{ other }}</X>`, ";X ;( ____ );;( other );"},
		"component":    {Vue, "<PriceTag :x=\"y\"/><old-tag/>", ";PriceTag ;(y)"},
		"dashes":       {Vue, "<price-tag :x=\"y\"/><script>import PriceTag</script>", ";PriceTag ;(y) import PriceTag"},
		"not closed":   {Vue, `<a :b="c`, ""},
		"cut mustache": {Vue, "{{ a", ""},
		"svelte":       {Svelte, "<script>let a</script><b on:click={() => a()} {...c}>{d}", "let a ;() => a(); ; c; ;d;"},
		"if":           {Svelte, "{#if a}b{:else if c}d{:else}e{/if}", "; a; ; c; ; ;"},
		"each":         {Svelte, "{#each a.b as { c, d }, i (c.id)}{c}{e(d)}{/each}", "; a.b; ;_;;e(_);;"},
		"await":        {Svelte, "{#await a then b}{b}{/await}", "; a; ;_;;"},
		"const":        {Svelte, "{@const a = b(c)}{a}", "; b(c);;_;"},
		"snippet":      {Svelte, "{#snippet a(b)}{b}{/snippet}{@render a(c)}", ";_;; ; a(c);"},
		"store": {
			Svelte, "<script>let s = $state(1); $t = `$u ${v}`; $: w</script>{$x}",
			"let s = $state(1); t = ` u ${v}`; $: w ; x;",
		},
		"quoted brace": {Svelte, `{a('}')}{b}`, `;a('}');;b;`},
		"open brace":   {Svelte, "{a", ""},
		"let":          {Svelte, "<A let:b>{b}</A>", ";A ;_;"},
		"astro":        {Astro, "---\nconst a = 1\n---\n<B c={a} /><script>d</script>", "const a = 1 ;B ;a;"},
		"astro markup": {Astro, "---\n---\n{a.map((b) => <C d={b} e={f} />)}", ";a; ;C ;_; ;f;"},
		"no matter":    {Astro, "<B c={a} />", ";B ;a;"},
	} {
		t.Run(name, func(t *testing.T) {
			got := tc.plain(tc.text)
			if len(got) != len(tc.text) || strings.Count(got, "\n") != strings.Count(tc.text, "\n") {
				t.Errorf("%d bytes, not %d: %q", len(got), len(tc.text), got)
			}
			for end := range tc.text { // what is being written
				if got := tc.plain(tc.text[:end]); len(got) != end {
					t.Errorf("%d bytes of %q: %q", end, tc.text, got)
				}
			}
			if diff := cmp.Diff(tc.want, strings.Join(strings.Fields(got), " ")); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// What nobody closed costs no more than its length.
func TestOpenComponents(t *testing.T) {
	for _, open := range []string{"{{", "{", "<a :b=\"", "<!--", "<script>", "{#each a as b", "<X {...", "---\n"} {
		text := strings.Repeat(open, 1<<15/len(open))
		for _, plain := range []func(string) string{Vue, Svelte, Astro, VueScript, SvelteScript, AstroScript} {
			if got := plain(text); len(got) != len(text) {
				t.Errorf("%q: %d bytes, not %d", open, len(got), len(text))
			}
		}
	}
}
