// Package couchbase is the store on a Couchbase cluster: documents and records
// over the Data service (KV), searches over the Search service, lists over the
// Query service. It and the packages in its folder alone know the driver.
//
// # Where things are
//
// A scope has two collections and a search index:
//
//	documents           one for each models.Document, under DocumentKey
//	records             one for each models.Record, under RecordKey
//	code_vector_index   over documents; its successors are …_g2, …_g3
//
// A document's value is an object. The fields that fts.Keywords gives stand at
// its top, one term as a string, several as an array. Then
//
//	text_<type>   the terms of fts.Analyze(Text), joined by spaces: the
//	              analysis is done here, so that all stores have the same
//	              terms; the index only splits at spaces
//	embedding     base64 of the components as little-endian float32
//	header        models.Header as a JSON string; stored in the index, so that
//	              hits bring it along
//	doc           the models.Document, without Text and Embedding
//
// A record's value is {"c": collection, "k": key, "v": value}. The collection
// directory has the list of repositories, so that a search needs no query. The record
// search_index of the collection meta names the live search index.
//
// # What is promised
//
// A batch is checked as a whole before anything is written. It is not atomic:
// when Apply fails a part may have been written, and applying it again is
// always safe. Writes are durable as Config.Durability says. Search follows
// the writes with a delay; Settle waits for it.
//
// What fails for a passing reason is done again a few times within the
// caller's deadline. Then it is a *fault.Error that says what to do; what the
// driver said is its cause, never its message.
package couchbase
