package op

import (
	"context"
	"strings"

	"github.com/ragnav/ragnav/internal/index"
	"github.com/ragnav/ragnav/internal/nav"
	"github.com/ragnav/ragnav/internal/rag/ask"
	"github.com/ragnav/ragnav/internal/rag/filefetch"
	"github.com/ragnav/ragnav/internal/rag/outline"
	"github.com/ragnav/ragnav/internal/rag/plan"
	"github.com/ragnav/ragnav/internal/rag/repos"
	"github.com/ragnav/ragnav/internal/rag/retrieve"
	"github.com/ragnav/ragnav/internal/rag/search"
	"github.com/ragnav/ragnav/internal/rag/structure"
)

// The methods of HTTP, which only transports import.
const (
	get  = "GET"
	post = "POST"
	del  = "DELETE"
)

// The operations. What each does is said by its function.
var (
	Repos = define[repos.Request, repos.Response](
		Spec{Name: "repos", Method: get, Path: "/api/rag/repos", Tool: "list_repos"})
	Structure = define[structure.Request, structure.Response](
		Spec{
			Name: "structure", Method: post, Path: "/api/rag/structure", Kept: true, Class: ClassLive, Tool: "explore_structure",
		})
	Search = define[search.Request, search.Response](
		Spec{Name: "search", Method: post, Path: "/api/rag/search", Class: ClassSearch, Tool: "search_code"})
	File = define[filefetch.Request, filefetch.Response](
		Spec{Name: "file", Method: post, Path: "/api/rag/file", Kept: true, Tool: "get_file"}).working(reading)
	Outline = define[outline.Request, outline.Response](
		Spec{Name: "outline", Method: post, Path: "/api/rag/outline", Kept: true, Class: ClassParse, Tool: "outline"}).
		working(outlining)
	Ask = define[ask.Request, ask.Response](
		Spec{Name: "ask", Method: post, Path: "/api/rag/", Class: ClassAsk, Tool: "ask_codebase"})
	Plan    = define[plan.Request, plan.Response](Spec{Name: "plan", Method: post, Path: "/api/rag/plan", Class: ClassAsk})
	Context = define[retrieve.Request, retrieve.Response](
		Spec{Name: "context", Method: post, Path: "/api/rag/context", Class: ClassAsk})

	Map = define[nav.MapRequest, nav.MapResponse](
		Spec{Name: "map", Method: post, Path: "/api/rag/map", Class: ClassLive})
	NavSearch = define[nav.SearchRequest, nav.SearchResponse](
		Spec{Name: "nav search", Method: post, Path: "/api/nav/search", Class: ClassLive, Tool: "nav_search"})
	WhereUsed = define[nav.WhereUsedRequest, nav.WhereUsedResponse](
		Spec{Name: "nav where-used", Method: post, Path: "/api/nav/where-used", Class: ClassLive, Tool: "where_used"})
	Lineage = define[nav.LineageRequest, nav.LineageResponse](
		Spec{Name: "nav lineage", Method: post, Path: "/api/nav/lineage", Class: ClassLive, Tool: "lineage"})
	Definition = define[nav.DefinitionRequest, nav.DefinitionResponse](
		Spec{Name: "nav definition", Method: post, Path: "/api/nav/definition", Class: ClassLive})
	Impact = define[nav.ImpactRequest, nav.ImpactResponse](
		Spec{Name: "nav impact", Method: post, Path: "/api/nav/impact", Class: ClassLive, Tool: "impact"})
	Implementations = define[nav.ImplementationsRequest, nav.ImplementationsResponse](
		Spec{Name: "nav implementations", Method: post, Path: "/api/nav/implementations", Class: ClassLive})
	NavStatus = define[nav.StatusRequest, nav.StatusResponse](
		Spec{Name: "nav status", Method: get, Path: "/api/nav/status", Class: ClassLive})
	BuildGraph = define[nav.BuildRequest, nav.BuildResponse](
		Spec{Name: "nav build-graph", Method: post, Path: "/api/nav/build-graph", Class: ClassIndex, Unlimited: true})
	ExportSCIP = define[nav.ExportRequest, nav.ExportResponse](
		Spec{Name: "nav export-scip", Method: post, Path: "/api/nav/export-scip", Class: ClassIndex, Unlimited: true})

	StartIndex = define[index.StartRequest, index.JobsResponse](
		Spec{Name: "index", Method: post, Path: "/api/index", Class: ClassIndex})
	PreviewIndex = define[index.StartRequest, index.PreviewResponse](
		Spec{
			Name: "index --dry-run", Method: post, Path: "/api/index", Class: ClassLive, Unlimited: true, Variant: "index",
		})
	Jobs      = define[index.JobsRequest, index.JobsResponse](Spec{Name: "jobs", Method: get, Path: "/api/index/jobs"})
	Job       = define[index.JobRequest, index.JobsResponse](Spec{Name: "job", Method: get, Path: "/api/index/jobs/{id}"})
	CancelJob = define[index.JobRequest, index.JobsResponse](
		Spec{Name: "jobs cancel", Method: del, Path: "/api/index/jobs/{id}"})
	Coverage = define[index.CoverageRequest, index.CoverageResponse](
		Spec{Name: "coverage", Method: get, Path: "/api/index/coverage", Class: ClassLive})
	Remove = define[index.RemoveRequest, index.RemoveResponse](
		Spec{Name: "remove", Method: del, Path: "/api/rag/repos/{repo_id}", Class: ClassIndex})
)

// reading is the class of reading a file: of a commit it asks git, and where the
// lines of a symbol are is found by parsing. So is what many spans are.
func reading(req filefetch.Request) Class {
	switch {
	case req.Commit != "":
		return ClassLive
	case req.Symbol != "" || req.DocumentID != "" || strings.Contains(req.FilePath, "#") || len(req.Spans) > 0:
		return ClassParse
	}
	return ClassCheap
}

// outlining is the class of outlining a file, likewise.
func outlining(req outline.Request) Class {
	if req.Commit != "" {
		return ClassLive
	}
	return ClassParse
}

// All lists the operations.
func All() []Row {
	return []Row{
		Repos, Structure, Search, File, Outline, Ask, Plan, Context,
		NavSearch, WhereUsed, Lineage, Definition, Implementations, Impact, Map, NavStatus, BuildGraph, ExportSCIP,
		StartIndex, PreviewIndex, Jobs, Job, CancelJob, Coverage, Remove,
	}
}

// A Backend does every operation, follows jobs, and tells of answers as they come.
type Backend interface {
	Caller
	// WatchJob is the operation Job once the job has ended; until then it calls
	// progress several times a second.
	WatchJob(ctx context.Context, req index.JobRequest, progress func(index.Job)) (index.JobsResponse, error)
	// AskStream is the operation Ask; it calls on with what happens on the way,
	// from one goroutine at a time.
	AskStream(ctx context.Context, req ask.Request, on func(ask.Event)) (ask.Response, error)
}
