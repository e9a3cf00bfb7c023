import Nib
import WidgetBuild

/// Any source gives files that are read again with the same meaning, or an error with its place.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzBuild(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = unsafe [UInt8](UnsafeBufferPointer(start: start, count: count))
    do {
        let files = try InterfaceCompiler.compile(bytes, path: "Base.lproj/Main.storyboard")
        for file in files where file.path.hasSuffix(".nib") {
            guard let document = try? NibDocument(parsing: file.bytes) else {
                preconditionFailure("a compiled interface cannot be read")
            }
            precondition(document.encode() == file.bytes, "an interface is not written as it was read")
        }
    } catch {
        precondition(!error.sentence.isEmpty, "an error says nothing")
        _ = error.description
    }
    return 0
}
