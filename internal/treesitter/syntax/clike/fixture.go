package clike

import "github.com/ragnav/ragnav/internal/treesitter/syntax/binder"

// fixtures are the macros of test and benchmark libraries that begin a function, and which
// of their arguments is the class that the function is a method of.
var fixtures = map[string]int{
	"TEST_F": 0, "TEST_P": 0, "TYPED_TEST": 0, "TYPED_TEST_P": 0, // GoogleTest
	"BENCHMARK_F": 0, "BENCHMARK_DEFINE_F": 0, "BENCHMARK_TEMPLATE_F": 0, // Google Benchmark
	"TEST_CASE_METHOD": 0, "TEST_CASE_FIXTURE": 0, // Catch2, doctest
	"BOOST_FIXTURE_TEST_CASE": 1, "BOOST_FIXTURE_TEST_SUITE": 1,
}

// fixture is the class of which the test at a function is a method.
func fixture(p *walker, n, id, shape binder.At) binder.Source {
	if at, ok := fixtures[p.TextAt(id)]; ok && p.Child(n, "type") < 0 {
		if t := p.Child(p.Nth(p.Child(shape, "parameters"), at), "type"); t >= 0 {
			return binder.TypeAt(t)
		}
	}
	return binder.Source{}
}
