package intent

import "strings"

// Formats are kinds of files that say how programs are deployed, built or called, and
// parts of these, as bits.
type Formats uint16

// What a text asks for.
const (
	FormatCluster   Formats = 1 << iota // Kubernetes, Helm
	FormatTerraform                     // and OpenTofu
	FormatPlaybook                      // Ansible
	FormatContainer                     // Docker, Compose
	FormatWorkflow                      // GitHub's and others' pipelines
	FormatSchema                        // Protocol Buffers, GraphQL, OpenAPI
	FormatSQL
	FormatInputs  // what is set from outside, or its default
	FormatOutputs // what a module gives

	settled       // in configuration more often than in code
	maybeWorkflow // where the text says what it does, too
	doneByWorkflow
	exposes
	port
)

// files are those of Formats that are kinds of files.
const files = FormatInputs - 1

// formatWords are words, and pairs of words that follow one another, by which a text asks for
// a kind of file; of those in the plural without the last s.
var formatWords = func() map[string]Formats {
	words := map[string]Formats{}
	for format, list := range map[Formats]string{
		FormatCluster: "helm,kubernetes,k8s,kustomize,kustomization,crd,daemonset,statefulset,configmap,pvc,hpa,pdb," +
			"clusterrole,clusterrolebinding,values yaml,chart value,chart template,custom resource,daemon set,stateful set," +
			"config map,disruption budget,cluster role,network policy,network policie,pod autoscaler,persistent volume," +
			"liveness probe,readiness probe,startup probe,webhook configuration",
		FormatTerraform: "terraform,tofu,opentofu,hcl,tfvar",
		FormatPlaybook:  "ansible,playbook,task that,task which,handler that,handler which",
		FormatContainer: "dockerfile,docker image,docker compose,docker container,compose file,compose service," +
			"container image",
		FormatWorkflow: "github workflow,github action,ci workflow,ci pipeline,ci job,ci matrix,gitlab pipeline,gitlab job," +
			"build workflow,build pipeline,release workflow,release pipeline",
		FormatSchema: "proto,protobuf,protocol buffer,rpc that,rpc which,rpc for,rpc method,rpc definition,grpc service," +
			"grpc message,grpc method,grpc definition,openapi,swagger,graphql schema,graphql type,graphql query," +
			"graphql mutation",
		FormatSQL:     "sql,plpgsql,database migration,schema migration,migration that,migration which",
		FormatInputs:  "variable,var,value,default,input,option,setting,parameter,validation,validate,validated",
		FormatOutputs: "output,export,exported",
		settled: "healthcheck,health check,replica,pod,environment variable,service account,volume,ingress,secret," +
			"security group,load balancer,cpu limit,memory limit",
		maybeWorkflow:  "workflow that,workflow which,which workflow",
		doneByWorkflow: "run,build,test,publish,publishe,release,deploy,lint,push,pushe,validate",
		exposes:        "expose,exposed,exposing",
		port:           "port",
	} {
		for word := range strings.SplitSeq(list, ",") {
			words[word] |= format
		}
	}
	return words
}()

// formatsOf are the kinds of files that a text asks for, and what of them.
func formatsOf(text string) (of Formats) {
	last := ""
	for _, word := range apart(text) {
		word = strings.ToLower(word)
		of |= formatWords[word]
		stem := strings.TrimSuffix(word, "s")
		of |= formatWords[stem]
		if last != "" {
			of |= formatWords[last+" "+stem]
		}
		last = stem
	}
	if of&maybeWorkflow != 0 && of&doneByWorkflow != 0 {
		of |= FormatWorkflow
	}
	if of&exposes != 0 && of&port != 0 {
		of |= settled
	}
	return of
}

// Files are those that are kinds of files.
func (f Formats) Files() Formats { return f & files }

// Texts reports whether what is asked for may well stand in data or markup.
func (f Formats) Texts() bool { return f&(files|settled) != 0 }
