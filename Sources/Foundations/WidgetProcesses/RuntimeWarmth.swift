internal import CWidgetLinux
internal import Dispatch

/// The first use of what opens files or makes descriptors when it is first used: the allocator, Dispatch with its queues
/// and timers, the threads of Swift's tasks.
///
/// Once the filter of calls ends a process for opening a file, the first use would be the last.
enum RuntimeWarmth {
    static func spread() {
        // A failure is one of starting a thread, which the next lines would meet as well.
        _ = linux_warm_allocator()
        let group = DispatchGroup()
        for quality in [DispatchQoS.QoSClass.userInteractive, .userInitiated, .default, .utility, .background] {
            DispatchQueue.global(qos: quality).async(group: group) {}
        }
        DispatchQueue(label: "processes.warm").async(group: group) {}
        group.enter()
        Task.detached {
            await withTaskGroup(of: Void.self) { tasks in
                for _ in 0..<4 { tasks.addTask { await Task.yield() } }
            }
            try? await Task.sleep(for: .microseconds(100))
            group.leave()
        }
        let timer = DispatchSource.makeTimerSource(queue: .global())
        group.enter()
        timer.setEventHandler {
            timer.cancel()
            group.leave()
        }
        timer.schedule(deadline: .now() + .microseconds(100))
        timer.activate()
        // A caller that is late waits no longer than a person would.
        _ = group.wait(timeout: .now() + 5)
    }
}
