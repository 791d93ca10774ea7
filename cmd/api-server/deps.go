package main

import (
	"go.uber.org/zap"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/httpapi"
	"github.com/ragnav/ragnav/internal/mcpapi"
)

// deps joins the program to the API.
func deps(s server) httpapi.Deps {
	version := s.app.Version(release)
	ops := httpapi.Admitted(s.app)
	agents := mcpapi.New(mcpapi.Options{Ops: ops, Version: version.Version, Failed: s.toolFailed})
	return httpapi.Deps{
		Log: s.log, Timeout: s.cfg.RequestTimeout, Hosts: s.cfg.Hosts(), Ops: ops, Ready: s.app.Ready, Version: version,
		MCP: mcpapi.Handler(agents),
	}
}

// toolFailed logs calls of agents that failed by a fault of ours.
func (s server) toolFailed(tool string, err error) {
	if fault.CodeOf(err) == fault.Internal {
		s.log.Error("tool failed", zap.String("tool", tool), zap.Error(err))
	}
}
