/// The revision of the engine: a digest of its sources. `.ci/wasm revision` writes it, and a test compares it with them. An
/// engine as WebAssembly is used by programs that have the same.
package enum EngineRevision {
    package static let text = "ad8dd6a8e94e210c"
}
