package redact

import "github.com/ragnav/ragnav/internal/pattern"

// A token begins with a word of its own. It has digits and letters.
type token struct {
	name, from string
	starts     []string
	pattern    string
	bits       float64
}

var tokens = []token{
	{"github-token", "gitleaks github-pat", []string{"ghp_", "gho_", "ghu_", "ghs_", "ghr_"}, `gh[pousr]_[A-Za-z0-9]{36,255}`, 3},
	{"github-fine-grained", "gitleaks github-fine-grained-pat", []string{"github_pat_"}, `github_pat_\w{60,255}`, 3},
	{"gitlab-token", "gitleaks gitlab-pat", []string{"glpat-", "glptt-", "gldt-", "glrt-", "glft-", "glsoat-", "glffct-", "glimt-", "glagent-", "gloas-"}, `gl[a-z]{2,5}-[\w-]{20,300}(?:\.[0-9a-z]{9})?`, 3},
	{"gitlab-job-token", "gitleaks gitlab-cicd-job-token", []string{"glcbt-"}, `glcbt-[0-9a-zA-Z]{1,5}_[\w-]{20}`, 3},
	{"gitlab-runner", "gitleaks gitlab-rrt", []string{"GR1348941"}, `GR1348941[\w-]{20}`, 3},
	{"gitlab-session", "gitleaks gitlab-session-cookie", []string{"_gitlab_session="}, `_gitlab_session=([0-9a-z]{32})`, 3},
	{"slack-token", "gitleaks slack-bot-token", []string{"xoxa-", "xoxb-", "xoxe-", "xoxe.", "xoxo-", "xoxp-", "xoxr-", "xoxs-"}, `xox[abeoprs](?:\.xox[bp])?-[A-Za-z0-9-]{10,}`, 2.5},
	{"slack-app-token", "gitleaks slack-app-token", []string{"xapp-"}, `xapp-\d-[A-Za-z0-9]+-\d+-[a-zA-Z0-9]+`, 2.5},
	{"stripe-key", "gitleaks stripe-access-token", []string{"sk_live_", "rk_live_", "sk_test_", "rk_test_", "sk_prod_", "rk_prod_"}, `[sr]k_(?:live|test|prod)_[A-Za-z0-9]{10,99}`, 3},
	{"stripe-letters", "gitleaks stripe-access-token, when it happens to have no digit", []string{"sk_live_", "rk_live_", "sk_prod_", "rk_prod_"}, `[sr]k_(?:live|prod)_([A-Za-z]{24,99})\b`, 3.7},
	{"stripe-webhook", ours, []string{"whsec_"}, `whsec_[A-Za-z0-9+/]{24,}={0,2}`, 3.5},
	{"openai-key", "gitleaks openai-api-key; older and other sk- keys: " + ours, []string{"sk-"}, `sk-[A-Za-z0-9_-]{32,}`, 3.5},
	{"anthropic-key", "gitleaks anthropic-api-key", []string{"sk-ant-"}, `sk-ant-[a-z0-9]{3,10}-[\w-]{20,}`, 3},
	{"npm-token", "gitleaks npm-access-token", []string{"npm_"}, `npm_[A-Za-z0-9]{36}\b`, 3},
	{"pypi-token", "gitleaks pypi-upload-token; of test.pypi.org: " + ours, []string{"pypi-AgE"}, `pypi-AgE[\w-]{50,1000}`, 3},
	{"rubygems-token", "gitleaks rubygems-api-token", []string{"rubygems_"}, `rubygems_[a-f0-9]{48}`, 2},
	{"clojars-token", "gitleaks clojars-api-token", []string{"CLOJARS_"}, `CLOJARS_[a-z0-9]{60}`, 2},
	{"huggingface-token", "gitleaks huggingface-access-token", []string{"hf_", "api_org_"}, `(?:hf|api_org)_[A-Za-z]{34}\b`, 3},
	{"perplexity-key", "gitleaks perplexity-api-key", []string{"pplx-"}, `pplx-[a-zA-Z0-9]{48}`, 4},
	{"sendgrid-key", "gitleaks sendgrid-api-token", []string{"SG."}, `SG\.[A-Za-z0-9=_.-]{66}`, 3},
	{"brevo-key", "gitleaks sendinblue-api-token", []string{"xkeysib-"}, `xkeysib-[a-f0-9]{64}-[a-z0-9]{16}`, 2},
	{"twilio-key", "gitleaks twilio-api-key", []string{"SK"}, `SK[0-9a-fA-F]{32}\b`, 3},
	{"shopify-token", "gitleaks shopify-access-token", []string{"shpat_", "shpca_", "shppa_", "shpss_"}, `shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}`, 2},
	{"shippo-token", "gitleaks shippo-api-token", []string{"shippo_"}, `shippo_(?:live|test)_[a-fA-F0-9]{40}`, 2},
	{"square-token", "gitleaks square-access-token", []string{"sq0atp-", "sq0csp-", "EAAA"}, `(?:sq0(?:atp|csp)-[\w-]{22,60}|EAAA[\w-]{58,60}\b)`, 3},
	{"facebook-page", "gitleaks facebook-page-access-token; shorter ones of an application: " + ours, []string{"EAAM", "EAAC"}, `EAA(?:[MC][A-Za-z0-9]{100,}|CEdEose0cBA[A-Za-z0-9]{40,})`, 4},
	{"databricks-token", "gitleaks databricks-api-token", []string{"dapi"}, `dapi[a-f0-9]{32}(?:-\d)?\b`, 3},
	{"grafana-token", "gitleaks grafana-cloud-api-token", []string{"glc_", "glsa_"}, `gl(?:c_[A-Za-z0-9+/]{32,400}={0,3}|sa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8})`, 3},
	{"grafana-key", "gitleaks grafana-api-key", []string{"eyJrIjoi"}, `eyJrIjoi[A-Za-z0-9]{70,400}={0,3}`, 3},
	{"hashicorp-vault", "gitleaks vault-service-token", []string{"hvs.", "hvb."}, `hv[sb]\.[\w-]{90,300}`, 3.5},
	{"1password-key", "gitleaks 1password-secret-key", []string{"A3-"}, `A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})-[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}\b`, 3.5},
	{"1password-token", "gitleaks 1password-service-account-token", []string{"ops_eyJ"}, `ops_eyJ[A-Za-z0-9+/]{250,}={0,3}`, 4},
	{"linear-key", "gitleaks linear-api-key", []string{"lin_api_"}, `lin_api_[A-Za-z0-9]{40}`, 2},
	{"notion-token", "gitleaks notion-api-token", []string{"ntn_"}, `ntn_[0-9]{11}[A-Za-z0-9]{35}`, 4},
	{"postman-key", "gitleaks postman-api-token", []string{"PMAK-"}, `PMAK-[A-Fa-f0-9]{24}-[A-Fa-f0-9]{34}`, 3},
	{"doppler-token", "gitleaks doppler-api-token", []string{"dp.pt."}, `dp\.pt\.[A-Za-z0-9]{43}`, 2},
	{"dynatrace-token", "gitleaks dynatrace-api-token", []string{"dt0c01."}, `dt0c01\.[A-Za-z0-9]{24}\.[A-Za-z0-9]{64}`, 4},
	{"duffel-token", "gitleaks duffel-api-token", []string{"duffel_"}, `duffel_(?:test|live)_[\w=-]{43}`, 2},
	{"easypost-key", "gitleaks easypost-api-token", []string{"EZAK", "EZTK"}, `EZ[AT]K[A-Za-z0-9]{54}\b`, 3},
	{"flutterwave-key", "gitleaks flutterwave-secret-key", []string{"FLWSECK", "FLWPUBK"}, `FLW(?:SEC|PUB)K(?:_TEST)?-[A-Ha-h0-9]{12,32}(?:-X)?`, 2},
	{"frameio-token", "gitleaks frameio-api-token", []string{"fio-u-"}, `fio-u-[\w=-]{64}`, 3},
	{"harness-key", "gitleaks harness-api-key", []string{"pat.", "sat."}, `[ps]at\.[\w-]{22}\.[A-Za-z0-9]{24}\.[A-Za-z0-9]{20}`, 3},
	{"infracost-token", "gitleaks infracost-api-token", []string{"ico-"}, `ico-[A-Za-z0-9]{32}\b`, 3},
	{"octopus-key", "gitleaks octopus-deploy-api-key", []string{"API-"}, `API-[A-Z0-9]{26}\b`, 3},
	{"openshift-token", "gitleaks openshift-user-token", []string{"sha256~"}, `sha256~[\w-]{43}`, 3.5},
	{"planetscale-token", "gitleaks planetscale-api-token", []string{"pscale_tkn_", "pscale_oauth_", "pscale_pw_"}, `pscale_(?:tkn|oauth|pw)_[\w=.-]{32,64}`, 3},
	{"prefect-token", "gitleaks prefect-api-token", []string{"pnu_"}, `pnu_[A-Za-z0-9]{36}\b`, 3},
	{"pulumi-token", "gitleaks pulumi-api-token", []string{"pul-"}, `pul-[a-f0-9]{40}\b`, 2},
	{"readme-token", "gitleaks readme-api-token", []string{"rdme_"}, `rdme_[a-z0-9]{70}`, 2},
	{"scalingo-token", "gitleaks scalingo-api-token", []string{"tk-us-"}, `tk-us-[\w-]{48}`, 2},
	{"sentry-token", "gitleaks sentry-user-token", []string{"sntryu_", "sntrys_eyJ"}, `sntry(?:u_[a-f0-9]{64}|s_eyJ[A-Za-z0-9+/=_]{60,})`, 3.5},
	{"settlemint-token", "gitleaks settlemint-personal-access-token", []string{"sm_aat_", "sm_pat_", "sm_sat_"}, `sm_[aps]at_[A-Za-z0-9]{16}`, 3},
	{"sourcegraph-token", "gitleaks sourcegraph-access-token", []string{"sgp_"}, `sgp_(?:(?:[a-fA-F0-9]{16}|local)_)?[a-fA-F0-9]{40}`, 3},
	{"artifactory-key", "gitleaks artifactory-api-key", []string{"AKCp", "cmVmd"}, `(?:AKCp[A-Za-z0-9]{69}|cmVmd[A-Za-z0-9]{59})\b`, 4},
	{"adobe-secret", "gitleaks adobe-client-secret", []string{"p8e-"}, `p8e-[A-Za-z0-9]{32}\b`, 3},
	{"authress-key", "gitleaks authress-service-client-access-key", []string{"sc_", "ext_", "scauth_", "authress_"}, `(?:sc|ext|scauth|authress)_[A-Za-z0-9]{5,30}\.[A-Za-z0-9]{4,6}\.acc[_-][A-Za-z0-9-]{10,32}\.[\w+/=-]{30,120}`, 3},
	{"clickhouse-key", "gitleaks clickhouse-cloud-api-secret-key", []string{"4b1d"}, `4b1d[A-Za-z0-9]{38}\b`, 3.5},
	{"intra42-secret", "gitleaks intra42-client-secret", []string{"s-s4t2"}, `s-s4t2(?:ud|af)-[A-Fa-f0-9]{64}`, 3},
	{"heroku-key", "gitleaks heroku-api-key-v2; HRKU- before a UUID: gitleaks heroku-api-key", []string{"HRKU-"}, `HRKU-(?:AA[\w-]{58}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})`, 3},
	{"flyio-token", "gitleaks flyio-access-token", []string{"fo1_", "fm1a_", "fm1r_", "fm2_"}, `(?:fo1_[\w-]{43}|fm(?:1[ar]|2)_[A-Za-z0-9+/]{100,}={0,3})`, 4},
	{"airtable-token", "gitleaks airtable-personnal-access-token", []string{"pat"}, `pat[A-Za-z0-9]{14}\.[a-f0-9]{64}\b`, 3},
	{"figma-token", ours, []string{"figd_"}, `figd_[\w-]{40,}`, 3.5},
	{"docker-token", ours, []string{"dckr_pat_", "dckr_oat_"}, `dckr_[po]at_[\w-]{24,}`, 3},
	{"newrelic-key", "gitleaks new-relic-user-api-key, new-relic-insert-key, new-relic-browser-api-token", []string{"NRAK-", "NRII-", "NRJS-"}, `NR(?:AK-[A-Z0-9]{27}|II-[A-Za-z0-9-]{32}|JS-[a-f0-9]{19})\b`, 3},
	{"discord-token", "Discord: reference, authentication: a number in base 64, a time, an HMAC", []string{"MD", "MT", "Mj", "Mz", "ND", "NT", "Nj", "Nz", "OD", "OT"}, `[MNO][DTjz][A-Za-z0-9]{21,26}\.[\w-]{6}\.[\w-]{27,38}`, 4},
	{"atlassian-token", "gitleaks atlassian-api-token", []string{"ATATT3"}, `ATATT3[A-Za-z0-9_=-]{100,250}`, 3.5},
}

func tokenRules() []rule {
	rules := make([]rule, 0, len(tokens))
	for _, l := range tokens {
		rules = append(rules, rule{
			name: l.name, from: l.from, starts: l.starts, word: true, pattern: at(l.pattern), window: 1100,
			bits: l.bits, mixed: true,
		})
		if r := &rules[len(rules)-1]; l.name == "huggingface-token" || l.name == "stripe-letters" { // of letters only
			r.mixed, r.except = false, pattern.NewLazy(fillers)
		}
	}
	return append(rules, rule{
		name: "mailgun-key", from: "gitleaks mailgun-private-api-token", starts: []string{"key-"}, word: true, bits: 3, mixed: true,
		names: pattern.NewLazy(`[-./]key-$`), pattern: at(`key-[0-9a-f]{32}\b`),
	})
}
