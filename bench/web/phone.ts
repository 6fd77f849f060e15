/** Simulates a phone in Chromium: a small window with many pixels, a slow CPU and a slow connection. */
import type { CDPSession, Page } from 'playwright-core';
import type { Browser } from '../../test/support/browser.ts';

/**
 * A connection's round-trip time in milliseconds, and its download and upload speed in kilobits per second.
 */
export interface Connection {
  name: string;
  latency: number;
  down: number;
  up: number;
}

export const fast3g: Connection = { name: 'Fast 3G', latency: 562, down: 1440, up: 675 };
export const slow4g: Connection = { name: 'slow 4G', latency: 150, down: 1638, up: 750 };

export interface Phone {
  page: Page;
  devtools: CDPSession;
}

/** Window size in the format of the DevTools protocol. */
export interface Window {
  width: number;
  height: number;
  deviceScaleFactor: number;
  mobile: boolean;
}

export const phone: Window = { width: 390, height: 844, deviceScaleFactor: 3, mobile: true };
export const screen: Window = { width: 1440, height: 900, deviceScaleFactor: 1, mobile: false };

export async function setWindow(devtools: CDPSession, window: Window): Promise<void> {
  await devtools.send('Emulation.setDeviceMetricsOverride', window);
}

/** Opens a page on a simulated phone. Without `connection` the network is not slowed down. */
export async function openPhone(
  { context }: Browser,
  {
    connection,
    slower = 4,
    window = phone,
  }: { connection?: Connection; slower?: number; window?: Window } = {},
): Promise<Phone> {
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await setWindow(devtools, window);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slower });
  await devtools.send('Network.enable');
  await devtools.send('Network.clearBrowserCache');
  if (connection) {
    await devtools.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: connection.latency,
      downloadThroughput: (connection.down * 1000) / 8,
      uploadThroughput: (connection.up * 1000) / 8,
    });
  }
  return { page, devtools };
}
