import WidgetObjectModel

/// Any bytes give a model that its own writer keeps, or a refusal; never a trap, and never a model larger than the
/// limits.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzModel(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = unsafe [UInt8](UnsafeBufferPointer(start: start, count: count))
    do {
        let limits = ModelLimits(valueCount: 20_000, predicateByteCount: 4_096)
        let model = try DataModel(parsing: bytes, limits: limits)
        for entity in model.entities.prefix(20) {
            _ = model.attributes(of: entity.name).count + model.relationships(of: entity.name).count
        }
        let written = model.encoded()
        precondition(written == model.encoded(), "a model is not the same bytes twice")
        if let again = try? DataModel(parsing: written) {
            precondition(
                again.entities.map(\.name) == model.entities.map(\.name), "a model written and read has other entities")
        }
    } catch {
        _ = error.description
    }
    return 0
}
