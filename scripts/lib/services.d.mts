interface Service {
  url: string
  stop: () => Promise<void>
}
export function startPostgres(more?: Record<string, string | number>): Promise<Service | null>
export function startRedis(): Promise<Service | null>
export function freePort(): Promise<number>
