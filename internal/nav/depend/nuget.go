package depend

import (
	"cmp"
	"encoding/json"
	"encoding/xml"
	"maps"
	"path"
	"slices"
	"strings"
)

// A packageItem names a package in a project of .NET.
type packageItem struct {
	Include  string `xml:"Include,attr"`
	Version  string `xml:"Version,attr"`
	Override string `xml:"VersionOverride,attr"`
	Inner    string `xml:"Version"`
}

// An msbuild is a project of .NET, or what several have in common.
type msbuild struct {
	Properties []struct {
		PackageID  string `xml:"PackageId"`
		Assembly   string `xml:"AssemblyName"`
		Version    string `xml:"Version"`
		IsPackable string `xml:"IsPackable"`
	} `xml:"PropertyGroup"`
	Items []struct {
		References []packageItem `xml:"PackageReference"`
		Versions   []packageItem `xml:"PackageVersion"`
	} `xml:"ItemGroup"`
}

// centralVersions has the versions of packages that the projects below it name without.
const centralVersions = "Directory.Packages.props"

func isProject(p string) bool {
	return slices.Contains([]string{".csproj", ".fsproj", ".vbproj"}, path.Ext(p))
}

// dotnet reads the project of a name: that of its package, unless it says another one.
func dotnet(name string) func(m *Manifest, text string) {
	return func(m *Manifest, text string) {
		var p msbuild
		if xml.Unmarshal([]byte(text), &p) != nil {
			return
		}
		id, version, packable := "", "", true
		for _, x := range p.Properties {
			id = cmp.Or(id, literal(x.PackageID), literal(x.Assembly))
			version = cmp.Or(version, literal(x.Version))
			packable = packable && !strings.EqualFold(strings.TrimSpace(x.IsPackable), "false")
		}
		if packable {
			m.provide(NuGet, cmp.Or(id, name), version)
		}
		for _, group := range p.Items {
			for _, x := range group.References {
				version := literal(cmp.Or(x.Override, x.Version, x.Inner))
				m.need(NuGet, literal(x.Include), version, "")
				if n := len(m.Needs); n > 0 && version == "" {
					m.Needs[n-1].above = true
				}
			}
		}
	}
}

// literal is a value that is written as it is; "" for one with variables of the build.
func literal(value string) string {
	if value = strings.TrimSpace(value); strings.Contains(value, "$(") {
		return ""
	}
	return value
}

// central reads the versions that projects below share.
func central(m *Manifest, text string) {
	var p msbuild
	_ = xml.Unmarshal([]byte(text), &p)
	for _, group := range p.Items {
		for _, x := range group.Versions {
			m.shared = append(m.shared, Need{
				Name: Name{NuGet, literal(x.Include)}, Version: literal(cmp.Or(x.Version, x.Inner)),
			})
		}
	}
}

// lockedNuGet reads packages.lock.json: of several frameworks it is the last one.
func lockedNuGet(text, name string) (c Chosen) {
	var lock struct {
		Depends map[string]map[string]struct {
			Resolved string `json:"resolved"`
		} `json:"dependencies"`
	}
	_ = json.Unmarshal([]byte(text), &lock)
	for _, framework := range slices.Sorted(maps.Keys(lock.Depends)) {
		for key, x := range lock.Depends[framework] {
			if strings.EqualFold(key, name) && x.Resolved != "" {
				c.Version = x.Resolved
			}
		}
	}
	return c
}
