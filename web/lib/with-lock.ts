/** Does the work while no other tab does work of this name. Without locks (an old browser, plain HTTP) just does it. */
export async function withLock(name: string, work: () => Promise<void>): Promise<void> {
  if (!navigator.locks) return work()
  await navigator.locks.request(name, work)
}
