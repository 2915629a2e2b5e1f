/** Where to go on after signing in: a path of ours, whatever the address says. */
export function nextPath(asked: string | null, home: string): string {
  if (!asked || !/^\/(?![/\\])/.test(asked)) return home
  const url = new URL(asked, location.origin)
  return url.origin === location.origin ? url.pathname + url.search + url.hash : home
}
