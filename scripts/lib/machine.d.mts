export function chromiumPath(env?: { PATH?: string; CHROMIUM?: string }): string | null
export function fullChromiumPath(env?: { PATH?: string; CHROMIUM?: string }): string | null
export function pathOf(command: string, path?: string): string | null
export function postgresFolder(): string | null
