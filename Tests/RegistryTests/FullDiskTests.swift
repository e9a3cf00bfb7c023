import Files
import LocalStore
import Registry
import TestSupport
import Testing
import WidgetBundles

/// Goal: a full disk refuses, cleans up, and passes. Method: a file system of two megabytes, where one can be mounted.
@Suite(.serialized, .enabled(if: SmallDisk.isPossible, "needs the right to mount"))
struct `A full disk` {
    @Test func `refuses a bundle, leaves nothing of it, and goes on when there is room`() throws {
        let disk = try SmallDisk(kilobytes: 2_400)
        let registry = try Registry(
            opening: disk.path + "/data", options: Registry.Options { 1 }, holder: "the test")
        // What is written does not compress, and the room left shrinks to nothing in steps: each publish meets the
        // end of the disk at another place.
        var stored: [Release] = []
        var refused = 0
        var random = SeededGenerator(seed: 5)
        for round in 0..<40 {
            let noise = (0..<20_000).map { _ in String(UInt32.random(in: .min ... .max, using: &random), radix: 36) }
            let content = "[\"\(noise.prefix(round % 4 == 0 ? 20_000 : 300).joined())\"]"
            do {
                stored.append(try registry.publish("1.\(round)", content: content).release)
            } catch RegistryError.outOfSpace {
                refused += 1
            } catch let error as BundleError {
                // The archive did not fit; that is met before the registry is asked.
                #expect("\(error)".contains("No space left"), "\(error)")
                refused += 1
            }
            // What was acknowledged is all there is, and reading goes on.
            #expect(try registry.bundle(sample).releaseCount == stored.count)
            let latest = try #require(stored.last)
            _ = try registry.openBlob(latest.digest)
            #expect(try Directory(opening: disk.path + "/data/staging").items(limit: 9)?.isEmpty == true)
        }
        #expect(refused > 0 && !stored.isEmpty)
        let blobs = Shell.run("find '\(disk.path)/data/blobs' -name '*.zip' | wc -l").output
        #expect(Int(blobs.filter(\.isNumber)) == stored.count)
        // Room again.
        #expect(Shell.run("mount -o remount,size=64m '\(disk.path)'").status == 0)
        try registry.publish("2.0")
        #expect(try registry.shown() == ["2.0~1 0-10000"])
        for release in stored { _ = try registry.openBlob(release.digest) }
    }
}
