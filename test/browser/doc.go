// Package browser looks at the pages of a real server in a real browser:
// journeys by mouse, keyboard and without JavaScript, hostile content, axe, and
// pictures of each page in screens/, to be looked at. `make browser-test` runs it.
package browser
