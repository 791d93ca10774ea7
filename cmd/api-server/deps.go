package main

import (
	"go.uber.org/zap"

	"github.com/ragnav/ragnav/internal/access"
	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/httpapi"
	"github.com/ragnav/ragnav/internal/mcpapi"
	"github.com/ragnav/ragnav/internal/web"
)

// deps joins the program to the API.
func deps(s server, ownToken string) httpapi.Deps {
	version := s.app.Version(release)
	admitted := httpapi.Admitted(s.app, s.cfg.LLM.URL != "")
	ops := access.Guarded(admitted, s.cfg.IndexRoots)
	agents := mcpapi.New(mcpapi.Options{
		Ops:     access.Guarded(httpapi.Patient(admitted), s.cfg.IndexRoots),
		Version: version.Version, Failed: s.toolFailed,
	})
	traffic := &httpapi.Traffic{}
	site := web.New(web.Options{
		Ops: ops, Ready: s.app.Ready, Version: version, Traffic: traffic.LastHour, Failed: httpapi.PageFailed(s.log),
	})
	return httpapi.Deps{
		Log: s.log, Timeout: s.cfg.RequestTimeout, AskTimeout: s.cfg.AnswerTimeout(), Hosts: s.cfg.AllowedHosts, Ops: ops,
		Ready: s.app.Ready, Version: version,
		Access: httpapi.Access{Token: string(s.cfg.APIToken), OwnToken: ownToken, Open: s.cfg.Insecure},
		MCP:    mcpapi.Handler(agents),
		Pages:  pages(site), NoPage: site.NoPage(), Traffic: traffic,
	}
}

// pages are those of the web interface.
func pages(site *web.Site) []httpapi.Page {
	var all []httpapi.Page
	for _, r := range site.Routes() {
		all = append(all, httpapi.Page{Method: r.Method, Path: r.Path, Slow: r.Slow, Handler: site})
	}
	return all
}

// toolFailed logs calls of agents that failed by a fault of ours.
func (s server) toolFailed(tool string, err error) {
	if fault.CodeOf(err) == fault.Internal {
		s.log.Error("tool failed", zap.String("tool", tool), zap.Error(err))
	}
}
