import ConformanceSupport
import Foundation
import Testing
import WidgetRegistryClient
import WidgetTestSupport

/// Goal: hosts do with a withdrawn release as its registry says. Method: the public interface, and a built registry.
@Suite struct `A withdrawn release` {
    @Test func `A release that may be kept is shown until there is another one`() async throws {
        let scene = try StartScene()
        let client = try scene.client()
        try scene.publish(1)
        try await #require(client.update(scene.widget).release).confirm()
        #expect(try scene.withdraw(1, "").status == 200)
        guard case .failed(let error, let kept) = await client.update(scene.widget) else {
            Issue.record("the update has succeeded")
            return
        }
        #expect(error.code == .withdrawn && kept?.version == "1.1~1")
        #expect(try await client.start(scene.widget).version == "1.1~1")
    }

    @Test func `A stopped release is not shown, until its registry shows it again`() async throws {
        let scene = try StartScene()
        let client = try scene.client()
        try scene.publish(1)
        try await #require(client.update(scene.widget).release).confirm()
        #expect(try scene.withdraw(1, "&directive=stop").status == 200)
        guard case .failed(let error, let kept) = await client.update(scene.widget) else {
            Issue.record("the update has succeeded")
            return
        }
        #expect(error.code == .stopped && error.description.contains("crashes") && kept == nil)
        let refusal = await #expect(throws: ClientError.self) {
            try await client.start(scene.widget, builtIn: scene.builtIn)
        }
        #expect(refusal?.code == .stopped)
        #expect(try scene.registry.restore(StartScene.identifier, "1.1~1").status == 200)
        #expect(await client.update(scene.widget).release?.version == "1.1~1")
        #expect(try await client.start(scene.widget, builtIn: scene.builtIn).version == "1.1~1")
    }

    @Test func `A release is exchanged for the built-in bundle`() async throws {
        let scene = try StartScene()
        let client = try scene.client()
        try scene.publish(1)
        try await #require(client.update(scene.widget).release).confirm()
        let json = "{\"reason\": \"wrong prices\", \"directive\": \"builtIn\"}"
        let answer = try scene.registry.write(
            "DELETE", "/v1/bundles/\(StartScene.identifier)/releases/1.1~1", json)
        #expect(answer.status == 200 && answer.text.contains("\"directive\":\"builtIn\""), "\(answer.text)")
        #expect(await client.update(scene.widget).release == nil)
        let release = try await client.start(scene.widget, builtIn: scene.builtIn)
        #expect(release.origin == .builtIn)
        let refusal = await #expect(throws: ClientError.self) { try await client.start(scene.widget) }
        #expect(refusal?.code == .nothingToStart && refusal?.description.contains("wrong prices") == true)
        // Another release ends it.
        try scene.publish(2)
        #expect(await client.update(scene.widget).release?.version == "1.2~1")
        #expect(try await client.start(scene.widget).version == "1.2~1")
    }

    @Test func `A host that a rollout offers nothing learns that its release was stopped`() async throws {
        let scene = try StartScene()
        let client = try scene.client()
        try scene.publish(1)
        try await #require(client.update(scene.widget).release).confirm()
        // No host is in a rollout of nothing; the channel's other hosts keep what they have.
        try scene.registry.publish(BundleForge(StartScene.identifier, "1.2", text: "two"), "rollout=1")
        #expect(try scene.withdraw(1, "&directive=stop").status == 200)
        let answer = try scene.registry.resolve("\(StartScene.identifier)-1")
        #expect(answer.text.contains("\"withdrawn\":[{\"release\":\"1.1~1\""), "\(answer.text)")
        let update = await client.update(scene.widget)
        if update.release?.version != "1.2~1" {
            guard case .failed(let error, nil) = update else {
                Issue.record("\(update)")
                return
            }
            #expect(error.code == .stopped)
        }
    }

    @Test func `A directive that is not one is refused, and nothing is withdrawn`() throws {
        let scene = try StartScene()
        try scene.publish(1)
        #expect(try scene.withdraw(1, "&directive=burn").status == 400)
        #expect(try scene.registry.release(StartScene.identifier, "1.1~1").status == 200)
    }
}
