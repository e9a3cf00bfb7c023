import Foundation
import HostileServer
import JSONText
import Testing
import WidgetAddresses
import WidgetBytes
import WidgetCore
import WidgetFiles
import WidgetFormats
import WidgetHost
import WidgetHosting
import WidgetIntake
import WidgetRender
import WidgetRunning
import WidgetTestSupport

/// The framework's Twitter sample, built from its source on machines that have it.
enum TwitterDemo {
    static var isThere: Bool {
        (try? FileDescriptor.reading("\(Samples.directory)/TwitterDemo-source.zip")) != nil
            && ExternalTool("unzip") != nil
    }

    /// As its author left it.
    static let authored: Result<Program, any Error> = Result { try program { _ in } }

    /// With its Swift said in schemes, where schemes can say it.
    static let ported: Result<Program, any Error> = Result { try program { port(&$0) } }

    /// Eight in the evening of the twentieth of June 2018.
    static let evening = 551_217_600.0

    /// - Parameter change: changes of the sources, by their paths.
    static func program(changing change: (inout [String: String]) -> Void) throws -> Program {
        let folder = FileManager.default.temporaryDirectory.appending(path: "twitter-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let source = URL(filePath: try Samples.unpack("TwitterDemo", into: folder.path))
        var texts: [String: String] = [:]
        for path in try FileManager.default.subpathsOfDirectory(atPath: source.path) {
            guard ["json", "storyboard", "xib", "plist"].contains(path.split(separator: ".").last ?? "") else {
                continue
            }
            texts[path] = try String(contentsOf: source.appending(path: path), encoding: .utf8)
        }
        change(&texts)
        for (path, text) in texts {
            try text.write(to: source.appending(path: path), atomically: true, encoding: .utf8)
        }
        return try BundleReading.program(of: BundleSource(opening: source.path).take().opened)
    }

    /// Says in schemes what the author's Swift does: ages, the button for news, initial settings, the settings screen,
    /// errors of the server, and signing out.
    static func port(_ texts: inout [String: String]) {
        edit(&texts, "TweetsViewController.json", #""from": "content.timeAgoString""#) {
            _ in #""from": "content.timestamp", "transformer": "ago""#
        }
        edit(&texts, "TweetsViewController.json", #""TweetsViewController": {"#) {
            #"\#($0) "defaults": {"showAvatars": true},"#
        }
        edit(&texts, "TweetsViewController.json", #""authActionController": {"#) {
            #"""
            "showNewsController": {"type": "ButtonActionController", "attrs": {"actionName": "showNews"}, "outlets": {"sender": "newsButton"}},
            "topController": {"type": "ButtonActionController", "attrs": {"actionName": "scrollToTop"},
                "outlets": {"sender": "newsButton", "target": "feedTableContentController"}},
            \#($0)
            """#
        }
        edit(&texts, "Service.json", #""actions": {"#) {
            #"""
            \#($0)
            "logout": {"records": [{"delete": "Post"}, {"delete": "User"}]},
            "showNews": {"records": [{"change": "Post", "where": "isHidden = 1", "set": {"isHidden": false}}]},
            """#
        }
        edit(&texts, "Service.json", #""needAuth": true,"#) { #"\#($0) "errorKeyPath": "errors.0.message","# }
        edit(&texts, "Main.storyboard", #"<tableViewController title="Settings""#) {
            $0 + #" restorationIdentifier="SettingsViewController""#
        }
        edit(&texts, "Main.storyboard", "doneWithSender:") { _ in "dismissAction:" }
        edit(
            &texts, "Main.storyboard",
            #"<action selector="showAvatarsChangedWithSender:" destination="4W2-00-KMx" eventType="valueChanged" id="SeB-wf-Gu2"/>"#
        ) { _ in "" }
        edit(&texts, "Main.storyboard", #"id="2YX-9Z-Szg">"#) {
            #"""
            \#($0)
            <userDefinedRuntimeAttributes>
                <userDefinedRuntimeAttribute type="string" keyPath="wx.identifier" value="showAvatarsSwitch"/>
            </userDefinedRuntimeAttributes>
            """#
        }
        texts["SettingsViewController.json"] = #"""
            {"SettingsViewController": {"elements": {
              "@self": {"bindings": [{"to": "defaults.showAvatars", "from": "showAvatarsSwitch.isOn"}]},
              "showAvatarsSwitch": {"bindings": [{"to": "on", "from": "defaults.showAvatars"}]}}}}
            """#
    }

    /// Replaces one text of a source, which has to be there.
    static func edit(
        _ texts: inout [String: String], _ path: String, _ old: String, _ new: (String) -> String
    ) {
        let text = texts[path] ?? ""
        guard let range = text.firstRange(of: old) else {
            Issue.record("\(path) has no \(old)")
            return
        }
        texts[path] = text.replacingCharacters(in: range, with: new(old))
    }
}

/// The sample at work against a service on loopback.
final class TwitterSession {
    let service: ScriptedTwitter
    var run: ScriptRun

    /// - Parameters:
    ///   - count: the tweets that the service has.
    ///   - store: the file of the widget's records; `nil` to keep none.
    convenience init(
        _ program: Result<Program, any Error>, tweets count: Int = 45, store path: String? = nil,
        _ arrange: (ScriptedTwitter) -> Void = { _ in }
    ) async throws {
        let service = try ScriptedTwitter(count: count)
        arrange(service)
        try await self.init(program, service, store: path)
    }

    /// A session with a service that is there already.
    init(_ program: Result<Program, any Error>, _ service: ScriptedTwitter, store path: String? = nil) async throws {
        self.service = service
        let program = try program.get()
        let records = try path.map { try RecordStore(path: $0) }
        let instance = WidgetInstance(
            program, store: try records?.load(model: program.model),
            environment: WidgetCore.Environment(now: TwitterDemo.evening))
        run = ScriptRun(instance, network: try LoopbackNetwork(service.url), records: records) {
            ViewText(width: 100).text($0)
        }
        try await run.play(.empty)
    }

    func play(_ steps: ScriptStep...) async throws { try await run.continue(with: EventScript(steps: steps)) }

    var text: String { ViewText(width: 100).text(run.view()) }

    func shows(_ text: String) -> Bool { self.text.contains(text) }

    /// All nodes of the screen as JSON has them.
    func nodes(_ role: String) throws -> [JSONObject] {
        let document = ViewJSON.document(run.view(), size: (375, 667))
        var found: [JSONObject] = []
        var pending = [try #require(JSONValue(parsing: document)["root"]?.object)]
        while let node = pending.popLast() {
            if node["role"]?.string == role { found.append(node) }
            pending.append(contentsOf: (node["children"]?.array ?? []).compactMap(\.object).reversed())
        }
        return found
    }

    /// The texts of the rows, from the top.
    func column(_ identifier: String) throws -> [String] {
        try nodes("text").filter { $0["id"]?.string == identifier }.compactMap { $0["name"]?.string }
    }

    var alert: String? { run.instance.store.alerts.last.map { "\($0.title): \($0.message)" } }

    func diagnostics(_ code: Finding.Code) -> [String] {
        run.instance.diagnostics.filter { $0.code == code }.map(\.message)
    }

    /// Saves the widget's records.
    func save() throws { try run.save() }
}

/// The network of the sample, with the two hosts of its service description on loopback.
struct LoopbackNetwork: WidgetNetwork {
    private let network: WebNetwork
    private let address: String

    init(_ address: String) throws {
        self.address = address
        network = WebNetwork(
            try NetworkGrant([address], privateRanges: [try #require(AddressRange("127.0.0.0/8"))]))
    }

    func outcome(of request: ServiceRequest, progress: @escaping @Sendable (Double) -> Void) async -> RequestOutcome {
        var request = request
        for host in ["https://api.twitter.com", "https://upload.twitter.com"] {
            request.url = request.url.replacing(host, with: address)
        }
        return await network.outcome(of: request, progress: progress)
    }
}
