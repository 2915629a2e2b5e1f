interface Service {
  url: string
  stop: () => Promise<void>
}
export function startPostgres(): Promise<Service | null>
export function startRedis(): Promise<Service | null>
export function freePort(): Promise<number>
