internal import CWasm
internal import WidgetEngine

// The functions of the engine's file. A host writes a call into room that it has asked for, and reads the answer from
// the place that it gets. Each instance of the file is one widget: what ends one ends no other.

/// Room for a call.
@_expose(wasm, "engine_room") @_cdecl("engine_room")
public func engineRoom(_ byteCount: Int32) -> UnsafeMutableRawPointer? {
    unsafe malloc(max(1, Int(byteCount)))
}

/// Gives back the room of a call, or of an answer.
@_expose(wasm, "engine_free") @_cdecl("engine_free")
public func engineFree(_ memory: UnsafeMutableRawPointer?) {
    unsafe free(memory)
}

nonisolated(unsafe) private var desk = EngineDesk()

/// Carries out a call. Four bytes before the answer say how long it is.
@_expose(wasm, "engine_call") @_cdecl("engine_call")
public func engineCall(_ memory: UnsafePointer<UInt8>?, _ byteCount: Int32) -> UnsafeMutableRawPointer? {
    let bytes = unsafe UnsafeBufferPointer(start: memory, count: Int(max(0, byteCount)))
    let call = unsafe EngineCall(bytes.span)
    let answer = (call.map { unsafe desk.answer($0) } ?? .misuse).bytes
    guard let result = unsafe malloc(answer.count + 4) else { return nil }
    for shift in 0..<4 {
        unsafe result.storeBytes(
            of: UInt8(truncatingIfNeeded: answer.count >> (8 * shift)), toByteOffset: shift, as: UInt8.self)
    }
    unsafe answer.withUnsafeBytes { source in
        if let start = source.baseAddress { unsafe (result + 4).copyMemory(from: start, byteCount: source.count) }
    }
    return unsafe result
}
