package ask

import "testing"

// What may be used is not asked of what uses it.
func TestAsksUsers(t *testing.T) {
	for question, want := range map[string]bool{
		"what uses ServeMux?":                        true,
		"where is ServeMux used?":                    true,
		"is ServeMux used by anything":               true,
		"Is ServeMux safe for concurrent use?":       false,
		"is ServeMux ready for use in production":    false,
		"which one should I use, ServeMux or Router": false,
	} {
		if _, users, _ := (follower{asked: inquiry{req: Request{Query: question}}}).asks(); users != want {
			t.Errorf("%s: asks for users %v", question, users)
		}
	}
}

func TestOfItself(t *testing.T) {
	for question, want := range map[string]bool{
		"does it support symbolic links?":   true,
		"Is this thread-safe?":              true,
		"can the library resume a download": true,
		"is the cache thread-safe":          false,
		"what does it support":              false,
	} {
		if got := ofItself().MatchString(question); got != want {
			t.Errorf("%s: %v", question, got)
		}
	}
}
