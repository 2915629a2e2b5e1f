export const socialProviders = {
  vk: 'VK ID',
  yandex: 'Яндекс ID',
  reddit: 'Reddit',
  roblox: 'Roblox',
  salesforce: 'Salesforce',
  zoom: 'Zoom',
  notion: 'Notion',
  kakao: 'Kakao',
  naver: 'Naver',
  line: 'LINE',
  paypal: 'PayPal',
} as const

export type SocialProviderId = keyof typeof socialProviders
