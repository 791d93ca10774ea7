package redact

import "github.com/ragnav/ragnav/internal/pattern"

// cloudRules are the keys of AWS, Google Cloud, Azure and others that rent
// machines.
func cloudRules() []rule {
	example := pattern.NewLazy(`EXAMPLE`) // as in the documentation of AWS
	return []rule{
		{
			name: "aws-key-id", from: "gitleaks aws-access-token", starts: []string{"AKIA", "ASIA", "ABIA", "ACCA", "A3T"}, word: true,
			pattern: at(`(?:A3T[A-Z0-9]|AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b`), except: example, bits: 2.5,
		},
		{
			name: "aws-secret-key", from: "AWS: 40 base-64 characters under names that the CLI and SDKs read; " + ours, mixed: true, bits: 4, except: example,
			starts: []string{
				"aws_secret", "AWS_SECRET", "awsSecret", "AwsSecret", "SecretAccessKey", "secretAccessKey", "secret_access_key", "SECRET_ACCESS_KEY", "AWSSecret",
			},
			pattern: at(`[A-Za-z_]{9,40}["']?\s{0,5}(?::=|=>|[:=,])\s{0,5}["']?([A-Za-z0-9/+]{40})(?:[^A-Za-z0-9/+=]|$)`),
		},
		{name: "aws-bedrock-key", from: "gitleaks aws-amazon-bedrock-api-key-long-lived", starts: []string{"ABSK"}, word: true, pattern: at(`ABSK[A-Za-z0-9+/]{109,269}={0,2}`), bits: 3},
		{name: "aws-bedrock-session", from: "gitleaks aws-amazon-bedrock-api-key-short-lived", starts: []string{"bedrock-api-key-"}, word: true, pattern: at(`bedrock-api-key-YmVkcm9jay5hbWF6b25hd3MuY29t[\w+/=-]*`)},
		{name: "gcp-key", from: "gitleaks gcp-api-key", starts: []string{"AIza"}, word: true, pattern: at(`AIza[\w-]{35}`), bits: 3},
		{name: "gcp-client-secret", from: "Google OAuth clients; " + ours, starts: []string{"GOCSPX-"}, word: true, pattern: at(`GOCSPX-[\w-]{28}`), bits: 3},
		{name: "gcp-access-token", from: "Google OAuth access tokens; " + ours, starts: []string{"ya29."}, word: true, pattern: at(`ya29\.[\w-]{20,1000}`), bits: 3.5},
		{
			name: "azure-client-secret", from: "gitleaks azure-ad-client-secret", starts: []string{"Q~"}, back: 4, word: true,
			pattern: at(`[a-zA-Z0-9_~.]{3}\dQ~[a-zA-Z0-9_~.-]{31,34}`), bits: 3,
		},
		{
			name: "azure-account-key", from: "Azure Storage, Service Bus, Event Hubs and Cosmos DB connection strings; " + ours, mixed: true, bits: 4,
			starts: []string{"AccountKey=", "SharedAccessKey="}, pattern: at(`(?:Account|SharedAccess)Key=([A-Za-z0-9+/]{43,88}={1,2})`),
		},
		{
			name: "azure-sas", from: "Azure shared access signatures; " + ours, mixed: true, bits: 3.5,
			starts: []string{"?sig=", "&sig="}, pattern: at(`[?&]sig=([A-Za-z0-9%]{43,70}%3[Dd])`),
		},
		{name: "alibaba-key-id", from: "gitleaks alibaba-access-key-id", starts: []string{"LTAI"}, word: true, pattern: at(`LTAI[A-Za-z0-9]{20}\b`), bits: 3},
		{name: "digitalocean-token", from: "gitleaks digitalocean-pat", starts: []string{"doo_v1_", "dop_v1_", "dor_v1_"}, word: true, pattern: at(`do[opr]_v1_[a-f0-9]{64}`), bits: 3},
		{name: "cloudflare-ca-key", from: "gitleaks cloudflare-origin-ca-key", starts: []string{"v1.0-"}, word: true, pattern: at(`v1\.0-[a-f0-9]{24}-[a-f0-9]{146}`)},
		{name: "terraform-token", from: "gitleaks hashicorp-tf-api-token", starts: []string{".atlasv1."}, back: 14, word: true, pattern: at(`[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{60,70}`), bits: 3.5},
	}
}
