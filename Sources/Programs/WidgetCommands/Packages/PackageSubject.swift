import JSONText
import WidgetBytes
import WidgetConsole
import WidgetContract
import WidgetCore
import WidgetHosting
import WidgetIntake
import WidgetPackages
import WidgetRunning
import WidgetSurroundings

/// A package of Swift that the user named. Each time that it is opened it is built, and its program is started.
final class PackageSubject: Sendable {
    static let option = Option("product", value: "NAME", help: "of a package with several programs: the widget's")

    let path: String
    let output: PackageOutput
    private let builder: PackageBuilder
    private let environment: [String: String]
    private let programs: (any Programs)?
    /// The path of the program that was built last.
    private let builtPath = Guarded("")

    /// - Parameter path: the subject of the command; `nil` is returned unless it is a package.
    init?(_ path: String, _ invocation: Invocation) {
        guard PackageBuilder.isPackage(path) else { return nil }
        self.path = path
        output = PackageOutput(invocation.terminal)
        environment = invocation.terminal.environment
        programs = invocation.world.programs
        builder = PackageBuilder(
            path, product: invocation.value("product"), environment: environment, programs: programs)
    }

    /// Builds and starts the program, and makes a bundle of its documents.
    func opened() throws(CommandFailure) -> OpenedBundle {
        let path = path
        let (built, code) = try rethrowing(try started(), as: { CommandFailure.package($0, source: path) })
        let documents = PackageSubject.documents(of: code.declaration, named: built.name)
        let source = try rethrowing(
            try BundleSource(documents: documents, of: path), as: { CommandFailure($0, source: path) })
        return OpenedBundle(source: source, code: code, mark: built.mark)
    }

    private func started() throws(PackageError) -> (BuiltProgramFile, ChildCode) {
        let output = output
        defer { output.endBuild() }
        let built = try builder.build { output.show(step: $0) }
        output.endBuild()
        let code = try start(built.path)
        builtPath.withLock { $0 = built.path }
        return (built, code)
    }

    private func start(_ program: String) throws(PackageError) -> ChildCode {
        let output = output
        return try ChildCode(
            starting: program, environment: environment, names: SourceNames(of: path), programs: programs
        ) { output.show(line: $0) }
    }

    /// The same widget with a program for itself, so that it shares no state with others. The program ends with it.
    func another(_ native: NativeProgram) -> NativeProgram {
        let code: any NativeCode
        do throws(PackageError) {
            code = try start(builtPath.withLock { $0 })
        } catch {
            code = UnstartedCode(reason: "\(error)")
        }
        return NativeProgram(native.input, images: native.images, code: code)
    }

    private static func documents(of declaration: NativeDeclaration, named name: String) -> ProgramDocuments {
        var files: [String: [UInt8]] = [:]
        for document in declaration.documents {
            var writer = JSONWriter()
            writer.value(document.value)
            files[document.name] = JSONLayout.indented(writer.finish())
        }
        return ProgramDocuments(
            identifier: declaration.identifier, name: name, first: declaration.first, files: files)
    }
}

/// The code of a program that could not be started: each turn says why.
private final class UnstartedCode: NativeCode {
    private let reason: String

    init(reason: String) { self.reason = reason }

    func reply(to turn: NativeTurn) throws(NativeFailure) -> NativeReply { throw .ended(reason) }

    func onNotice(_ notice: @escaping @Sendable () -> Void) {}
}

extension BundleReading {
    /// Reads the program of a bundle, or of one around the documents of a package.
    static func read(
        _ taken: borrowing TakenBundle, _ code: ChildCode?, identifier: String? = nil, entryPoint: String = "Main",
        isDevelopment: Bool = false, locale: String = ""
    ) throws(WidgetError) -> (program: Program, native: NativeProgram?) {
        guard let code else {
            let program = try program(
                of: taken.opened, identifier: identifier, entryPoint: entryPoint, isDevelopment: isDevelopment,
                locale: locale)
            return (program, nil)
        }
        return try program(
            of: taken.opened, calling: code, faults: code.declaration.faults, identifier: identifier,
            entryPoint: entryPoint,
            isDevelopment: isDevelopment, locale: locale)
    }
}

/// A program that was read, and the code behind it.
struct ReadWidget: Sendable {
    var program: Program
    let native: NativeProgram?
}

/// The failure of a package, as the program shows it.
enum PackageFailure {
    /// The first fault in one sentence, for a line below a running widget.
    static func sentence(_ error: PackageError, source: String) -> String {
        if case .notBuilt(let log) = error { return log.firstError }
        return "\(source): \(error)"
    }

    /// Shows what the compiler has said, an `error:` line, and hints.
    static func show(_ error: PackageError, source: String, on terminal: Terminal) -> ExitCode {
        let hints = error.hints.map(QuotedText.plain)
        guard case .notBuilt(let log) = error else {
            terminal.complain(QuotedText.plain("\(source): \(error)"), hints: hints)
            return error.isMisuse ? .misuse : .failed
        }
        terminal.report(log.shown.map { QuotedText.plain($0) })
        let count = log.errorCount
        let counted = count == 0 ? "" : count == 1 ? ": 1 error" : ": \(count) errors"
        terminal.complain(QuotedText.plain("\(source) could not be built\(counted)"), hints: hints)
        return .failed
    }
}
