export function chromiumPath(): string | null
export function postgresFolder(): string | null
