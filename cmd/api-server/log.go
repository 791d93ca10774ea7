package main

import (
	"errors"
	"io"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"

	"github.com/ragnav/ragnav/internal/config"
	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/index"
)

// newLog logs to w, as JSON or for a person, with times in UTC. The level and
// the format are those of cfg, which config has checked.
func newLog(cfg config.Config, w io.Writer) *zap.Logger {
	level, err := zapcore.ParseLevel(cfg.LogLevel)
	if err != nil {
		level = zapcore.InfoLevel
	}
	form := zap.NewProductionEncoderConfig()
	form.EncodeTime = zapcore.RFC3339TimeEncoder
	form.EncodeDuration = zapcore.StringDurationEncoder
	encoder := zapcore.NewJSONEncoder(form)
	if cfg.LogFormat == "console" {
		form.EncodeLevel = zapcore.CapitalLevelEncoder
		encoder = zapcore.NewConsoleEncoder(form)
	}
	return zap.New(zapcore.NewCore(encoder, zapcore.Lock(zapcore.AddSync(w)), level))
}

// logFailure logs how an index run failed, whoever asked for it.
func logFailure(log *zap.Logger) func(job index.Job, cause error) {
	return func(job index.Job, cause error) {
		fields := []zap.Field{zap.String("job", job.ID), zap.String("repo_id", string(job.RepoID)), zap.Error(cause)}
		if p, ok := errors.AsType[*fault.Panic](cause); ok {
			fields = append(fields, zap.String("stack", p.Stack))
		}
		log.Error("index run failed", fields...)
	}
}
