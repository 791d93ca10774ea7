package term

import (
	"fmt"
	"math"
	"testing"
)

// Every colour is readable on white and on black: by the contrast of WCAG 2.2, of
// the colours that all terminals give the numbers from 16 on.
func TestColoursAreReadable(t *testing.T) {
	all := map[string]string{"green": Green, "red": Red, "amber": Amber, "cyan": Cyan, "magenta": Magenta}
	for name, style := range all {
		var n int
		if _, err := fmt.Sscanf(style, "\x1b[38;5;%dm", &n); err != nil || n < 16 || n > 231 {
			t.Errorf("%s is %q, which depends on the terminal's theme", name, style)
			continue
		}
		l := luminance(n)
		if onWhite, onBlack := 1.05/(l+.05), (l+.05)/.05; min(onWhite, onBlack) < 4 {
			t.Errorf("%s: %.1f:1 on white, %.1f:1 on black", name, onWhite, onBlack)
		}
	}
}

// luminance is that of a colour of the cube of 216.
func luminance(n int) float64 {
	steps := [...]float64{0, 95, 135, 175, 215, 255}
	n -= 16
	sum := 0.0
	for i, weight := range []float64{.2126, .7152, .0722} {
		v := steps[n/[...]int{36, 6, 1}[i]%6] / 255
		if v <= .03928 {
			v /= 12.92
		} else {
			v = math.Pow((v+.055)/1.055, 2.4)
		}
		sum += weight * v
	}
	return sum
}
