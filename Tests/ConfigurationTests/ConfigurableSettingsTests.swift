import Arguments
import Configuration
import Testing

/// Settings of another program than ours, one of them within a value of its own.
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

    var contradictions: [(key: String, reason: SettingProblem.Reason)] {
        isOff && limits.degrees > 200 ? [("off", .sameAddress("hot"))] : []
    }
}

@Suite struct `Settings of any program` {
    private func load(_ environment: [String: String], _ flags: [String] = []) throws -> LoadedSettings<OvenSettings> {
        let program = Command("oven", "an oven", example: "oven", options: OvenSettings.options)
        guard case .run(let invocation) = try program.parse(flags) else { preconditionFailure("help was asked for") }
        return try OvenSettings.load(invocation, environment: environment) { _, _ throws(FileFailure) in
            throw .notFound
        }
    }

    @Test func `have the defaults of their properties and take values from flags and variables`() throws {
        #expect(try load([:]).settings == OvenSettings())
        let loaded = try load(["WIDGETD_LIMITS_DEGREES": "90", "WIDGETD_NAME": "a"], ["--name", "b"])
        #expect(loaded.settings.limits.degrees == 90 && loaded.settings.name == "b")
        #expect(loaded.source(of: "name") == .flag("name"))
        #expect(loaded.report.contains("limits.time = 1500ms   # default\n"))
    }

    @Test func `tell numbers as whole numbers, and times in seconds that are rounded up`() {
        let numbers = OvenSettings.table.map { $0.number(in: OvenSettings()) }
        #expect(numbers == [nil, 180, 2, nil])
    }

    @Test func `are refused for what is wrong only together, at the source of the key at fault`() {
        #expect {
            try load(["WIDGETD_OFF": "on", "WIDGETD_LIMITS_DEGREES": "201"])
        } throws: { error in
            (error as? ConfigurationError)?.problems.map(\.source) == [.environment("WIDGETD_OFF")]
        }
    }
}
