import WidgetBuild
import WidgetNib

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
    fuzzProject(bytes)
    fuzzScreens(bytes)
    return 0
}

/// Any project file gives values for the variables of a property list, or none, with a note.
private func fuzzProject(_ bytes: [UInt8]) {
    let list = """
        <plist><dict><key>CFBundleIdentifier</key><string>org.$(PRODUCT_BUNDLE_IDENTIFIER)</string>
        <key>CFBundleExecutable</key><string>$(EXECUTABLE_NAME:c99extidentifier)</string></dict></plist>
        """
    let sources = ["Info.plist": Array(list.utf8), "A.xcodeproj/project.pbxproj": bytes]
    guard let compiled = try? BundleCompiler(sources, folder: "A") else {
        preconditionFailure("a project file ended the build")
    }
    precondition(!compiled.notes.isEmpty, "nothing says where the values are from")
}

/// Screens as text that are accepted become a storyboard that compiles, and that is read as the same text.
private func fuzzScreens(_ bytes: [UInt8]) {
    guard let storyboard = try? ScreenNotation.storyboard(bytes, path: "Main.screens") else { return }
    guard (try? InterfaceCompiler.compile(storyboard, path: "Main.storyboard")) != nil,
        let reading = try? ScreenNotation.screens(storyboard: storyboard, path: "Main.storyboard")
    else { preconditionFailure("a storyboard of ours cannot be read") }
    precondition(reading.left.isEmpty, "a part of a storyboard of ours is not covered")
    guard let again = try? ScreenNotation.normalForm(reading.bytes, path: "Main.screens") else {
        preconditionFailure("a normal form cannot be read")
    }
    precondition(again == reading.bytes, "a normal form has another normal form")
}
