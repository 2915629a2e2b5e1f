let name = 'по Москве'

/** Once at the start: sentences about hours and days name the zone of the installation's country. */
export function setDayZone(zone: string): void {
  name = zone
}

export const dayZone = () => name
