/** How long the processor of this process worked, in milliseconds. Unlike the clock, it does not run while others work. */
export async function cpuMs(work: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await work()
  return process.cpuUsage(before).user / 1000
}
