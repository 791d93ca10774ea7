package main

import "github.com/ragnav/ragnav/internal/httpapi"

// deps joins the operations to the API. A new operation is one line here.
func deps(s server) httpapi.Deps {
	a := s.app
	return httpapi.Deps{
		Log: s.log, Timeout: s.cfg.RequestTimeout, Hosts: s.cfg.Hosts(),
		Ready: a.Ready, Version: a.Version(release),
		Ops: httpapi.Operations{
			Repos: a.Repos, Structure: a.Structure, Search: a.Search, File: a.File, Ask: a.Ask,
			NavSearch: a.NavSearch, WhereUsed: a.WhereUsed, Lineage: a.Lineage, NavStatus: a.NavStatus, BuildGraph: a.BuildGraph,
			Remove: a.Remove, Coverage: a.Coverage,
			Start: a.StartIndex, Preview: a.PreviewIndex, Jobs: a.Jobs, Job: a.Job, Watch: a.WatchJob, Cancel: a.CancelJob,
		},
	}
}
