export interface Device {
  /** «Chrome на Windows». */
  name: string
  isHandheld: boolean
}

/** The order matters: most user agents also contain Chrome or Safari. */
const browsers: [RegExp, string][] = [
  [/YaBrowser\/|YaApp_/, 'Яндекс Браузер'],
  [/Edg(?:e|A|iOS)?\//, 'Edge'],
  [/OPR\/|OPT\/|Opera/, 'Opera'],
  [/Vivaldi\//, 'Vivaldi'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/MiuiBrowser\//, 'Mi Browser'],
  [/HuaweiBrowser\//, 'Huawei Browser'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrom(?:e|ium)\/|CriOS\//, 'Chrome'],
  [/Safari\//, 'Safari'],
]

const systems: [RegExp, string, 'handheld'?][] = [
  [/iPhone|iPod/, 'iPhone', 'handheld'],
  [/iPad/, 'iPad', 'handheld'],
  [/Android/, 'Android', 'handheld'],
  [/HarmonyOS/, 'HarmonyOS', 'handheld'],
  [/Windows/, 'Windows'],
  [/CrOS/, 'ChromeOS'],
  [/Macintosh|Mac OS X/, 'Mac'],
  [/Linux|X11/, 'Linux'],
]

export function deviceOf(userAgent: string | null | undefined): Device {
  const browser = browsers.find(([sign]) => sign.test(userAgent ?? ''))?.[1]
  const [, system, handheld] = systems.find(([sign]) => sign.test(userAgent ?? '')) ?? []
  const isHandheld = handheld !== undefined
  if (browser && system) return { name: `${browser} на ${system}`, isHandheld }
  return { name: browser ?? (system && `Приложение на ${system}`) ?? 'Неизвестное устройство', isHandheld }
}
