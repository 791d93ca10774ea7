package main

import "github.com/ragnav/ragnav/internal/httpapi"

// deps joins the program to the API.
func deps(s server) httpapi.Deps {
	return httpapi.Deps{
		Log: s.log, Timeout: s.cfg.RequestTimeout, Hosts: s.cfg.Hosts(), Ops: s.app, Ready: s.app.Ready, Version: s.app.Version(release),
	}
}
