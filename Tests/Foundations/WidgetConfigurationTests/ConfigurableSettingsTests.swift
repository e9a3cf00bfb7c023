import Dispatch
import Foundation
import Testing
import WidgetConfiguration
import WidgetConsole

/// Settings of another program than ours, one of them inside a nested value.
private struct OvenSettings: ConfigurableSettings {
    struct Limits: Equatable, Sendable {
        var degrees = 180
        var time = Duration.milliseconds(1_500)
    }

    var name = "oven"
    var limits = Limits()
    var isOff = false

    static let table: [Setting<OvenSettings>] = [
        Setting("name", \.name, .path, flag: "name", flagValue: "NAME", "The name."),
        Setting("limits.degrees", \.limits.degrees, .count(50...250), isReloadable: true, "The most degrees."),
        Setting("limits.time", \.limits.time, .duration(.seconds(1) ... .seconds(60)), "How long to bake."),
        Setting("off", \.isOff, .toggle, "Whether it is off."),
    ]

    static let removed = [
        RemovedSetting("limits.coal", until: "9.1", "Ovens are electric."),
        RemovedSetting("grillTime", until: "9.2", "Grills are apart."),
    ]

    var contradictions: [(key: String, reason: SettingProblem.Reason)] {
        isOff && limits.degrees > 200 ? [("off", .sameAddress("hot"))] : []
    }
}

@Suite struct `Settings of any program` {
    private func load(
        _ environment: [String: String], _ flags: [String] = [], file: String? = nil
    ) throws -> LoadedSettings<OvenSettings> {
        let program = Command("oven", "an oven", example: "oven", options: OvenSettings.options)
        let flags = (file == nil ? [] : ["--config", "oven.json5"]) + flags
        guard case .run(let invocation) = try program.parse(flags) else { preconditionFailure("help was asked for") }
        return try OvenSettings.load(invocation, environment: environment) { _, _ throws(FileFailure) in
            guard let file else { throw .notFound }
            return Array(file.utf8)
        }
    }

    @Test func `Keys that were removed are ignored with any value, and each use is named with its place`() throws {
        let loaded = try load(
            ["WIDGETD_GRILL_TIME": "", "WIDGETD_NAME": "a"],
            file: "{ limits: {\n coal: [1, {}],\n degrees: 90, coal: 2 }, grillTime: null }")
        #expect(loaded.settings.limits.degrees == 90 && loaded.settings.name == "a")
        #expect(
            loaded.removed.map(\.text) == [
                "oven.json5:2: limits.coal is ignored, and refused from 9.1 on. Ovens are electric.",
                "oven.json5:3: limits.coal is ignored, and refused from 9.1 on. Ovens are electric.",
                "oven.json5:3: grillTime is ignored, and refused from 9.2 on. Grills are apart.",
                "WIDGETD_GRILL_TIME: grillTime is ignored, and refused from 9.2 on. Grills are apart.",
            ])
        #expect(!loaded.report.contains("coal") && loaded.map { $0 }.removed == loaded.removed)
        #expect(try load([:]).removed.isEmpty)
    }

    @Test(
        arguments: [
            ("{ limits: { coals: 1 } }", [:]), ("{ coal: 1 }", [:]), ("{ grilltime: 1 }", [:]), ("{ limits: 1 }", [:]),
            ("{}", ["WIDGETD_COAL": "1"]), ("{}", ["WIDGETD_LIMITS_COAL_FILE": "1"]),
            ("{}", ["WIDGETD_GRILLTIME": "1"]),
        ] as [(String, [String: String])])
    func `Keys like those that were removed are refused`(_ file: String, _ environment: [String: String]) {
        #expect(throws: ConfigurationError.self) { try load(environment, file: file) }
    }

    @Test func `Settings have the defaults of their properties, and take values from flags and variables`() throws {
        #expect(try load([:]).settings == OvenSettings())
        let loaded = try load(["WIDGETD_LIMITS_DEGREES": "90", "WIDGETD_NAME": "a"], ["--name", "b"])
        #expect(loaded.settings.limits.degrees == 90 && loaded.settings.name == "b")
        #expect(loaded.source(of: "name") == .flag("name"))
        #expect(loaded.report.contains("limits.time = 1500ms   # default\n"))
    }

    @Test func `Settings give numbers as whole numbers, and times in seconds, rounded up`() {
        let numbers = OvenSettings.table.map { $0.number(in: OvenSettings()) }
        #expect(numbers == [nil, 180, 2, nil])
    }

    @Test func `Settings that contradict each other are refused at the source of the key at fault`() {
        #expect {
            try load(["WIDGETD_OFF": "on", "WIDGETD_LIMITS_DEGREES": "201"])
        } throws: { error in
            (error as? ConfigurationError)?.problems.map(\.source) == [.environment("WIDGETD_OFF")]
        }
    }
}

@Suite struct `Reading a settings file` {
    private func failure(_ path: String, byteLimit: Int = 100) -> FileFailure? {
        do throws(FileFailure) {
            _ = try BoundedFile.read(path, byteLimit: byteLimit)
            return nil
        } catch {
            return error
        }
    }

    @Test func `Reading a settings file gives its bytes up to the limit and none past it`() throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "widgetd-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: url) }
        let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0) }
        try Data(bytes).write(to: url)
        #expect(try BoundedFile.read(url.path, byteLimit: 100_000) == bytes)
        #expect(failure(url.path, byteLimit: 99_999) == .tooLarge(byteLimit: 99_999))
        try Data().write(to: url)
        #expect(try BoundedFile.read(url.path, byteLimit: 0) == [])
    }

    @Test func `Reading a settings file is refused for one stated reason`() {
        #expect(failure("/nonexistent/file") == .notFound)
        #expect(failure("") == .notFound)
        #expect(failure("/") == .isDirectory)
        #expect(failure("/dev/zero") == .tooLarge(byteLimit: 100))
        #expect(failure("/dev/null/file") == .notFound)
    }

    /// A shell's `<(…)` is one.
    @Test func `Reading a settings file waits for the writer of a pipe`() throws {
        let pipe = Pipe()
        let path = "/dev/fd/\(pipe.fileHandleForReading.fileDescriptor)"
        DispatchQueue(label: "test.writer").async {
            for piece in ["{ listen: ", "[] }"] { pipe.fileHandleForWriting.write(Data(piece.utf8)) }
            try? pipe.fileHandleForWriting.close()
        }
        #expect(try BoundedFile.read(path, byteLimit: 100) == Array("{ listen: [] }".utf8))
    }
}
