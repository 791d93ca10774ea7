package parse_test

import (
	"testing"

	"github.com/ragnav/ragnav/internal/parse"
)

func TestLicenceLines(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want int
	}{
		"a block":                 {"/*\n * Copyright X\n *\n * WITHOUT WARRANTIES\n */\n\npackage a;\n// (c) 2020\n", 5},
		"a block before code":     {"/* Copyright 2013 X */\npackage a;\n", 1},
		"with blank lines in it":  {"/*\nCopyright X\n\nAS IS\n*/\n", 5},
		"lines, then the doc":     {"// Copyright X.\n// Use of it.\n\n// Package a parses.\npackage a\n", 2},
		"after what tools read":   {"#!/bin/sh\n# -*- coding -*-\n\n# SPDX-License-Identifier: MIT\nx = 1\n", 4},
		"in PHP":                  {"<?php\n\n/** (c) 2020 X */\nclass A {}\n", 3},
		"short":                   {"/*! MIT License © X */\n\nimport a\n", 1},
		"in HTML":                 {"<!--\nLicensed under X\n-->\n<p>\n", 3},
		"two of them":             {"// SPDX-License-Identifier: MIT\n\n// Copyright X\n\ncode\n", 3},
		"behind code it is none":  {"package a\n\n// Copyright X\n", 0},
		"a comment that is none":  {"// Package a parses.\npackage a\n", 0},
		"a text without comments": {"Copyright is a right.\n", 0},
		"nothing":                 {"", 0},
	} {
		if got := parse.LicenceLines(c.text); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
}
