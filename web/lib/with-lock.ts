/** Runs the work under a lock shared by all tabs; without Web Locks (old browsers, plain HTTP) runs it at once. */
export async function withLock(name: string, work: () => Promise<void>): Promise<void> {
  if (!navigator.locks) return work()
  await navigator.locks.request(name, work)
}
