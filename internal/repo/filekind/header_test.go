package filekind

import "testing"

func TestDialect(t *testing.T) {
	for _, test := range []struct{ name, path, text, want string }{
		{"class", "a.h", "#ifndef A\nclass LEVELDB_EXPORT Iterator {\n", "C++"},
		{"namespace without a name", "a.h", "namespace {\n", "C++"},
		{"template", "a.h", "template <typename T>\nT f(T);\n", "C++"},
		{"access", "a.h", "struct A {\n public:  // all\n  int x;\n};\n", "C++"},
		{"virtual", "a.H", "struct A {\n  virtual int f() = 0;\n};\n", "C++"},
		{"C++ library", "a.h", "#  include <cstdint>\n", "C++"},
		{"std", "a.h", "int f(std::string s);\n", "C++"},
		{"alias", "a.h", "using Word = unsigned;\n", "C++"},
		{"C", "a.h", "#include <stdint.h>\n#include <sys/types.h>\nstruct node { int class; struct node *next; };\n", "C"},
		{"C for both", "a.h", "#ifdef __cplusplus\nextern \"C\" {\n#endif\nint f(void);\n", "C"},
		{
			"names of C that are words of C++", "a.h",
			"struct s {\n  int\n  class;\n  int private;\n  int template; };\nnamespace = 1;\n", "C",
		},
		{"comments", "a.h", "/* a\nclass Foo of\nusing std::string = x\n*/\nint f(void); // std::string\n" +
			"int g(void); /* class A */ /*\ntemplate <T>\n*/\n", "C"},
		{"code after a comment", "a.h", "/* a */ class A;\n", "C++"},
		{"division", "a.h", "enum { A = 4/2, B = 8/2 }; // class A\n", "C"},
		{"class of Objective-C", "a.h", "#include <a.h>\n@interface A : B\n@end\n", "Objective-C"},
		{"protocol", "a.h", "typedef int x;\n  @protocol A;\n", "Objective-C"},
		{"import", "a.h", "# import <Foundation/Foundation.h>\nextern NSString *const A;\n", "Objective-C"},
		{"comment about a class", "a.h", "/**\n@class a\n@interface b\n*/\nint f(void);\n", "C"},
		{"C for Objective-C too", "a.h", "#ifdef __OBJC__\n@class A;\n#endif\nint f(void);\n", "C"},
		{"Objective-C++", "a.h", "#import <a.h>\nclass A;\n@interface B\n@end\n", "C++"},
		{"not a header", "a.c", "class A;\n", "C"},
		{"empty", "a.h", "", "C"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := Dialect(test.path, "C", test.text); got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
		})
	}
	if got := Dialect("a.h", "Objective-C", "class A;"); got != "Objective-C" {
		t.Errorf("what the name says otherwise became %s", got)
	}
}
