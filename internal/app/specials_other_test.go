//go:build !unix

package app_test

import "testing"

func specials(*testing.T, string) {}
