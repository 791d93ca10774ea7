//go:build !linux

package main

import (
	"os"
	"time"
)

// peakMemory is not measured on this system.
func peakMemory(*os.ProcessState) int64 { return 0 }

// residentPeak is not measured on this system.
func residentPeak(int) int64 { return 0 }

// ownCPU is not measured on this system.
func ownCPU() time.Duration { return 0 }
