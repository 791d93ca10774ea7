package change_test

import (
	"testing"

	"github.com/ragnav/ragnav/internal/nav/change"
)

func TestAttributes(t *testing.T) {
	for _, c := range []struct {
		file, text string
		yes, no    []string
	}{
		{
			"tests/a.rs", "#[test]\nfn a() {}\n\nfn helper() {}\n\n#[tokio::test(flavor = \"x\")]\nasync fn b() {}\n",
			[]string{"a", "m.b"},
			[]string{"helper"},
		},
		{"src/test/java/ATest.java", `
@ExtendWith(X.class)
class ATest {
  @Test
  public void a() { return helper(1); }

  @ParameterizedTest @ValueSource(strings = {"x"}) void b(String s) {}

  @org.junit.Test(expected = E.class)
  void c() {}

  @CsvSource({
    "a, b(c"
  })
  @RepeatedTest(3)
  List<Map<String, A>> d() {}

  private int helper(int n) { return n; }

  static class Data { int getX() { return 1; } }
}
`, []string{"ATest.a", "ATest.b", "ATest.c", "ATest.d"}, []string{"ATest.helper", "ATest.Data.getX"}},
		{
			"src/test/java/OldTest.java", "class OldTest extends TestCase {\n  public void testA() {}\n" +
				"  void help() {}\n}\n",
			[]string{"OldTest.testA"},
			[]string{"OldTest.help"},
		},
		{
			"src/test/java/NG.java", "@Test(groups = \"x\")\npublic class NG {\n  public void a() {}\n}\n",
			[]string{"NG.a"},
			nil,
		},
		{
			"src/test/java/IT.java", "@SpringBootTest\nclass IT {\n  void setUp() {}\n  @Test\n  void a() {}\n}\n",
			[]string{"IT.a"},
			[]string{"IT.setUp"},
		},
		{
			"src/test/kotlin/A.kt",
			"class A {\n  @Test fun `adds two`() {}\n  @Test\n  fun b() = run {}\n  fun help() {}\n}\n",
			[]string{"A.`adds two`", "A.b"},
			[]string{"A.help"},
		},
		{"src/x/tests.py", "def test_odd(value):\n    return value % 2 == 1\n", nil, []string{"test_odd"}},
		{
			"app/tests.py", "class T(TestCase):\n    def test_a(self):\n        self.assertTrue(1)\n",
			[]string{"T.test_a"},
			nil,
		},
		{"tests/test_a.py", "def test_a():\n    run()\n", []string{"test_a"}, nil},
		{"a_test.go", "", []string{"TestA"}, nil},
	} {
		a := change.Attributes{Read: func(string) *string { return &c.text }}
		for _, name := range c.yes {
			if !a.Test(c.file, name) {
				t.Errorf("%s: %s is no test", c.file, name)
			}
		}
		for _, name := range c.no {
			if a.Test(c.file, name) {
				t.Errorf("%s: %s is a test", c.file, name)
			}
		}
	}
	gone := change.Attributes{Read: func(string) *string { return nil }}
	if !gone.Test("tests/a.rs", "a") {
		t.Error("of a file that can't be read")
	}
}
