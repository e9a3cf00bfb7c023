/// The revision of the engine: a digest of its sources. `.ci/wasm revision` writes it, and a test compares it with them. An
/// engine as WebAssembly is used by programs that have the same.
package enum EngineRevision {
    package static let text = "4afdf85d55ce2b9c"
}
