import Foundation
import JSONText
import Testing
import WidgetConfiguration
import WidgetPostgres
import WidgetTestSupport

@testable import ClusterCommands

/// Goal: the examples for operators work as they are. Method: a parser of YAML, where `.ci/setup contract` has installed it,
/// and the program's own settings.
@Suite(.enabled(if: YAMLParser.isInstalled, "needs PyYAML: .ci/setup contract installs it"))
struct `The examples for replicas` {

    private func documents(_ name: String) throws -> [JSONValue] {
        let path = "\(Corpus.repositoryRoot)/config/\(name)"
        let program = "import json, sys, yaml; print(json.dumps(list(yaml.safe_load_all(open(sys.argv[1])))))"
        let result = Shell.run("'\(YAMLParser.python)' -c '\(program)' '\(path)'")
        #expect(result.status == 0, "\(result.output)")
        return try JSONValue(parsing: Array(result.output.utf8)).array ?? []
    }

    private var variables: Set<String> {
        let secrets = ClusterSettings.table.filter(\.isSecret).map { $0.environmentName + "_FILE" }
        return Set(ClusterSettings.table.map(\.environmentName) + secrets)
    }

    @Test func `The example for compose has three replicas with settings that there are`() throws {
        let file = try #require(try documents("cluster-compose.yaml").first)
        for name in ["a", "b", "c"] {
            let environment = try #require(file["services"]?[name]?["environment"]?.object?.members)
            #expect(!environment.isEmpty)
            for member in environment { #expect(variables.contains(member.name), "\(member.name)") }
            let url = try #require(file["services"]?[name]?["environment"]?["WIDGETD_CATALOG_URL"]?.string)
            #expect(throws: Never.self) { try PostgresAddress(url, program: "test") }
        }
        // Compose replaces a dollar sign unless there are two.
        let proxy = try #require(file["configs"]?["proxy"]?["content"]?.string)
        #expect(!proxy.replacing("$$", with: "").contains("$"))
    }

    @Test func `The example of one server for compose has settings that there are, and no root`() throws {
        let service = try #require(try documents("compose.yaml").first?["services"]?["widgetd"])
        let environment = try #require(service["environment"]?.object?.members)
        #expect(environment.count > 3)
        for member in environment { #expect(variables.contains(member.name), "\(member.name)") }
        #expect(service["read_only"]?.boolean == true && service["user"]?.string == "10001:10001")
        #expect(service["volumes"]?.array?.first?.string == "widgetd:/data")
    }

    /// A set of one, in which the old server has ended before the new one opens the data directory.
    @Test func `The example of one server for Kubernetes has probes, a volume and settings that there are`() throws {
        let files = try documents("kubernetes/widgetd.yaml")
        #expect(files.compactMap { $0["kind"]?.string } == ["StatefulSet", "Service"])
        let specification = try #require(files.first?["spec"])
        #expect(specification["replicas"]?.integer == 1)
        let container = try #require(specification["template"]?["spec"]?["containers"]?.array?.first)
        for variable in container["env"]?.array ?? [] {
            let name = try #require(variable["name"]?.string)
            #expect(variables.contains(name), "\(name)")
        }
        #expect(container["livenessProbe"]?["httpGet"]?["path"]?.string == "/livez")
        #expect(container["volumeMounts"]?.array?.first?["mountPath"]?.string == "/data")
        #expect(specification["volumeClaimTemplates"]?.array?.count == 1)
    }

    @Test func `The example for Kubernetes has probes, a budget and settings that there are`() throws {
        let files = try documents("kubernetes/cluster.yaml")
        #expect(files.compactMap { $0["kind"]?.string } == ["Deployment", "PodDisruptionBudget", "Service"])
        let specification = try #require(files.first?["spec"])
        #expect(specification["strategy"]?["rollingUpdate"]?["maxUnavailable"]?.integer == 0)
        let container = try #require(specification["template"]?["spec"]?["containers"]?.array?.first)
        for variable in container["env"]?.array ?? [] {
            let name = try #require(variable["name"]?.string)
            #expect(variables.contains(name), "\(name)")
        }
        #expect(container["livenessProbe"]?["httpGet"]?["path"]?.string == "/livez")
        #expect(container["readinessProbe"]?["httpGet"]?["path"]?.string == "/readyz")
        #expect(files[1]["spec"]?["minAvailable"]?.integer == 2)
    }
}

private enum YAMLParser {
    static let python = "\(Corpus.repositoryRoot)/.build/python-tools/bin/python"
    static let isInstalled = FileManager.default.isExecutableFile(atPath: python)
}
