package main

import (
	"github.com/ragnav/ragnav/internal/httpapi"
	"github.com/ragnav/ragnav/internal/mcpapi"
)

// deps joins the program to the API.
func deps(s server) httpapi.Deps {
	version := s.app.Version(release)
	agents := mcpapi.New(mcpapi.Options{Ops: s.app, Version: version.Version})
	return httpapi.Deps{
		Log: s.log, Timeout: s.cfg.RequestTimeout, Hosts: s.cfg.Hosts(), Ops: s.app, Ready: s.app.Ready, Version: version,
		MCP: mcpapi.Handler(agents),
	}
}
