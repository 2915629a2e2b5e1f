/** The path to open after signing in; anything but a path of this site falls back to `home`. */
export function nextPath(asked: string | null, home: string): string {
  if (!asked || !/^\/(?![/\\])/.test(asked)) return home
  const url = new URL(asked, location.origin)
  return url.origin === location.origin ? url.pathname + url.search + url.hash : home
}
