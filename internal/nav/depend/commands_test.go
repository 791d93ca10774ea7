package depend_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/internal/nav/depend"
)

func TestCommandsBelowTheRoot(t *testing.T) {
	for _, test := range []struct {
		files []string
		want  []string
	}{
		{[]string{"src/All.slnx", "src/A/A.csproj"}, []string{"dotnet build src/All.slnx", "dotnet test src/All.slnx"}},
		{[]string{"my src/All.sln"}, []string{"dotnet build 'my src/All.sln'", "dotnet test 'my src/All.sln'"}},
		{[]string{"a/A.sln", "b/B.sln"}, []string{}},
		{[]string{"a/A.sln", "B.csproj"}, []string{"dotnet build", "dotnet test"}},
		{[]string{"a/b/A.sln"}, []string{}},
		{[]string{"composer.json", "phpunit.xml.dist"}, []string{"composer install", "vendor/bin/phpunit"}},
	} {
		got, err := depend.Commands(test.files, func(string) (*string, error) { return new("{}"), nil })
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%v (-want +got):\n%s", test.files, diff)
		}
	}
}
